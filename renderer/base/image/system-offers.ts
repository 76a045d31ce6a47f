/** Offers to load the system that defines a missing package. The Systems feature knows the systems, and makes the offers. */

interface SystemOffer {
  readonly system: string;
  load(): void;
}

let find: (missing: string) => Promise<SystemOffer | null> = async () => null;

/** Sets the function that returns the offer for a missing package, or null if no system of the project may define it. */
export function makeSystemOffers(by: typeof find): void {
  find = by;
}

export function systemOffer(missing: string): Promise<SystemOffer | null> {
  return find(missing);
}
