import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { promptExample, PROMPTS } from '#core/guide/prompts.ts';
import { RULES } from '#core/guide/rules.ts';
import { rulesText, skillText } from '#core/guide/skill.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { modern } from '../modern.fixture.ts';

let bench: TestWorkbench;
let agent: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  agent = await bench.connect('reader');
}, 120_000);

afterAll(() => bench.close());

async function textOf(name: string, given: Record<string, string> = {}): Promise<string> {
  const { messages } = await agent.client.getPrompt({ name, arguments: given });
  expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
  return (messages[0]!.content as { text: string }).text;
}

it('Prompts are listed with their arguments, in both eras', async () => {
  const { prompts } = await agent.client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['work-in-the-image', ...PROMPTS.map(({ name }) => name)]);
  expect(prompts.find(({ name }) => name === 'find-fault')).toMatchObject({
    title: 'Find a bug',
    arguments: [{ name: 'form', required: true }],
  });
  const listed = await modern(bench, 'prompts/list');
  await listed.ended;
  expect(listed.messages.at(-1)).toMatchObject({ result: { prompts: prompts.map(({ name }) => ({ name })) } });
});

it('The prompt of the rules is the text of the skill, with the six rules and the six requests', async () => {
  const text = await textOf('work-in-the-image');
  expect(skillText()).toMatch(
    /^---\nname: lisp-workbench\ndescription: >-\n {2}How to work in a live Common Lisp image/,
  );
  expect(skillText().endsWith(`---\n\n${text}\n`)).toBe(true);
  expect([RULES.length, PROMPTS.length]).toEqual([6, 6]);
  for (const line of [...RULES, ...PROMPTS.map(promptExample)]) expect(text).toContain(line);
});

it('A prompt is given with its arguments as they are, whatever they hold', async () => {
  const given = { function: '{tests}', change: 'return $& for #\\{', tests: 'shop/tests' };
  expect(await textOf('change-function', given)).toBe(
    'Make {tests} return $& for #\\{. Try it in the image, then propose the edit, load the file and run the tests of shop/tests.',
  );
});

it.each([
  ['no-such-prompt', {}, 'Unknown prompt: no-such-prompt'],
  ['make-faster', { function: 'f' }, 'Invalid arguments for make-faster: it needs function, input'],
])('A request for the prompt %s with %j is refused with the reason', async (name, given, message) => {
  await expect(agent.client.getPrompt({ name, arguments: given })).rejects.toThrow(message);
});

it('The guide for agents has the same rules and requests', async () => {
  const guide = await readFile(new URL('../../../../../docs/agent-guide.md', import.meta.url), 'utf8');
  expect(guide).toContain(`\n\`\`\`text\n${rulesText()}\n\`\`\`\n`);
  const rows = PROMPTS.map((prompt) => `| ${prompt.title} | \`${prompt.name}\` | “${promptExample(prompt)}” |`);
  expect(guide).toContain(rows.join('\n'));
});
