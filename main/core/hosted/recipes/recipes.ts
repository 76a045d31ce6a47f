/** The list of agent programs, in the order in which they are offered. */
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { kimi } from './kimi.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';
import type { Recipe } from './recipe.ts';

export const RECIPES: readonly Recipe[] = [claudeCode, codex, gemini, opencode, qwen, copilot, kimi];
