import { publishedName, tools } from '#core/tools/registry.ts';
import { levelOf } from '#core/tools/tool.ts';

/** The table of tools that an MCP client can call, generated from the tool definitions. */
export function toolsText(): string {
  const rows = tools.map(
    (tool) => `| \`${publishedName(tool)}\` | ${levelOf(tool, { shared: true })} | ${inCell(tool.description)} |`,
  );
  return `These are the MCP tools, at \`/mcp\` or over standard input and output. A client finds tools that are not in its list with
\`find-tools\` and calls them with \`call-tool\`. Lisply has only \`lisp_eval\` and \`ping_lisp\`; Lisp code can do most of what these tools do.

| tool | level | purpose |
| --- | --- | --- |
${rows.join('\n')}`;
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}
