export const lisplyText = `Lisply is HTTP with JSON. Its routes are below \`/lisply\`, on the same port as MCP, which is at \`/mcp\`.

| request | answer |
| --- | --- |
| \`GET /lisply/ping-lisp\` | the text \`pong\` |
| \`GET /lisply/tools/list\` | JSON: the tools \`lisp_eval\` and \`ping_lisp\` with their schemas |
| \`POST /lisply/lisp-eval\` | JSON: the outcome of an evaluation |
| \`GET /lisply/docs/list\` | JSON: these documents, each with \`id\`, \`description\` and \`path\` |
| \`GET /lisply/docs/ID\` | one of them, as Markdown |

## Evaluating

The body is a JSON object with \`code\`, a string, and \`package\`, a string, if wanted. It is parsed whatever its Content-Type says,
and may be sent in chunks; 4 MiB is the most. Other fields are ignored.

    {"code": "(package-name *package*)", "package": "cl-user"}

A success is \`{"success": true, "result": "…", "stdout": "…"}\`, where \`result\` has the values as they print, one a line. A failure is
\`{"success": false, "error": "…", "stdout": "…"}\`; \`error\` then has all that was printed before it too. Both have the status
200. While an evaluation runs, white space is sent every four seconds before the JSON, so that a client which ends silent connections does
not end this one. Closing the connection interrupts the evaluation.

A text of more than 1 MiB is cut, and says where it continues.

## Errors of requests

| status | reason |
| --- | --- |
| 400 | the body is not JSON, or \`code\` is missing |
| 401 | no valid token: send the header \`Authorization: Bearer TOKEN\` |
| 403 | the Host is none of this server's, the request comes from a web page, or you may not do this |
| 404 | there is nothing at this path |
| 405 | the path takes another method |
| 408, 413 | the body did not arrive in time, or is too large |
| 429 | too many requests: wait a second |

No answer redirects.

## HTTPS

The same routes are served over HTTPS where it was started: it is off by default. A certificate that the workbench made itself is for
\`localhost\`, \`127.0.0.1\` and \`::1\`; clients trust it when they are given the file of it, for example with \`curl --cacert FILE\` or
\`NODE_EXTRA_CA_CERTS=FILE\`, or when they compare its SHA-256 fingerprint with the one that the workbench shows.`;
