export const lisplyText = `Lisply is HTTP with JSON. Its routes are below \`/lisply\`, on the same port as MCP, which is at \`/mcp\`.

| request | answer |
| --- | --- |
| \`GET /lisply/ping-lisp\` | the text \`pong\` |
| \`GET /lisply/tools/list\` | JSON: the tools \`lisp_eval\` and \`ping_lisp\` with their schemas |
| \`POST /lisply/lisp-eval\` | JSON: the outcome of an evaluation |
| \`GET /lisply/docs/list\` | JSON: these documents, each with \`id\`, \`description\` and \`path\` |
| \`GET /lisply/docs/ID\` | one of them, as Markdown |

## Evaluating

The body is a JSON object with \`code\`, a string, and optionally \`package\`, a string. It is parsed as JSON whatever its Content-Type is,
and may be sent in chunks, up to 4 MiB. Other fields are ignored.

    {"code": "(package-name *package*)", "package": "cl-user"}

A success is \`{"success": true, "result": "…", "stdout": "…"}\`, where \`result\` contains the printed values, one per line. A failure is
\`{"success": false, "error": "…", "stdout": "…"}\`; \`error\` then also contains the output. Both have the status 200.
While an evaluation runs, white space is sent every four seconds before the JSON, so that clients do not close the connection as idle. Closing the connection interrupts the evaluation.

A text of more than 1 MiB is truncated, and says how to read the rest.

## Errors of requests

| status | reason |
| --- | --- |
| 400 | the body is not JSON, or \`code\` is missing |
| 401 | no valid token: send the header \`Authorization: Bearer TOKEN\` |
| 403 | the Host header does not name this server, the request comes from a web page, or you are not allowed to do this |
| 404 | the path does not exist |
| 405 | the path needs another method |
| 408, 413 | the body did not arrive in time, or is too large |
| 429 | too many requests: wait a second |

No reply is a redirect.

## HTTPS

The same routes are served over HTTPS if it was started; it is off by default. A certificate that the workbench created itself is valid for
\`localhost\`, \`127.0.0.1\` and \`::1\`. Clients trust it if you give them its file, for example with \`curl --cacert FILE\` or
\`NODE_EXTRA_CA_CERTS=FILE\`, or if they compare its SHA-256 fingerprint with the fingerprint that the workbench shows.`;
