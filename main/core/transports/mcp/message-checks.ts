/** Creates readable errors for messages that are not JSON-RPC, and for malformed calls. They replace a dump of the schema (T2, T11). */

export interface ErrorResponse {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

export const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

export function errorResponse(
  id: string | number | null,
  code: number,
  message: string,
  data?: unknown,
): ErrorResponse {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

/** Returns the error for an invalid message, or null if it is valid. */
export function refuse(message: unknown): ErrorResponse | null {
  if (message === null || typeof message !== 'object' || Array.isArray(message))
    return errorResponse(null, INVALID_REQUEST, 'A message must be one JSON-RPC object.');
  const { jsonrpc, id, method, params } = message as Record<string, unknown>;
  // An id beyond 2^53 would be changed to another number. The caller would not recognize that number, or another call may have it.
  const known = typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null;
  if (jsonrpc !== '2.0') return errorResponse(known, INVALID_REQUEST, 'A message must have "jsonrpc": "2.0".');
  if (method === undefined && known !== null && ('result' in message || 'error' in message)) return null;
  if (typeof method !== 'string')
    return errorResponse(known, INVALID_REQUEST, 'A request must have a method, which is a string.');
  if (id !== undefined && known === null)
    return errorResponse(null, INVALID_REQUEST, 'The id of a request must be a string or an integer below 2^53.');
  if (params !== undefined && (params === null || typeof params !== 'object' || Array.isArray(params)))
    return errorResponse(known, INVALID_PARAMS, `The params of ${method} must be an object.`);
  if (known === null) return null;
  const given = (params ?? {}) as Record<string, unknown>;
  if (method === 'initialize') return refuseInitialize(known, given);
  return method === 'tools/call' ? refuseCall(known, given) : null;
}

function refuseInitialize(id: string | number, params: Record<string, unknown>): ErrorResponse | null {
  const { protocolVersion, capabilities, clientInfo } = params;
  const isObject = (value: unknown): boolean => value !== null && typeof value === 'object' && !Array.isArray(value);
  const { name, version } = (isObject(clientInfo) ? clientInfo : {}) as Record<string, unknown>;
  const lacks = [
    ...(typeof protocolVersion === 'string' ? [] : ['protocolVersion, a string such as "2025-11-25"']),
    ...(isObject(capabilities) ? [] : ['capabilities, an object that may be empty']),
    ...(typeof name === 'string' && typeof version === 'string' ? [] : ['clientInfo, an object with name and version']),
  ];
  return lacks.length === 0 ? null : errorResponse(id, INVALID_PARAMS, `initialize needs ${lacks.join('; ')}.`);
}

function refuseCall(id: string | number, { name, arguments: given }: Record<string, unknown>): ErrorResponse | null {
  if (typeof name !== 'string')
    return errorResponse(id, INVALID_PARAMS, 'tools/call needs the name of the tool, which is a string.');
  if (given !== undefined && (given === null || typeof given !== 'object' || Array.isArray(given)))
    return errorResponse(id, INVALID_PARAMS, `The arguments of ${name} must be an object.`);
  return null;
}
