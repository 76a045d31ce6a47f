export function commandFaults() {
  return [];
}
