/**
 * Telnet's commands (RFC 854) among the octets of a connection. The commands are removed and answered. All options except the echo are
 * refused. Pure.
 */

const IAC = 255;
const [DONT, DO, WONT, WILL, SB] = [254, 253, 252, 251, 250] as const;
const [EL, EC, AYT, IP, BRK, SE] = [248, 247, 246, 244, 243, 240] as const;
const [ABORT, SUSP, EOF] = [238, 237, 236] as const;
const ECHO = 1;
const [ETX, EOT, BS, LF, CR, DEL] = [3, 4, 8, 10, 13, 127] as const;
/** The maximum length of a subnegotiation, which is skipped. */
const MOST_IN_SUBNEGOTIATION = 1000;

/** Announces to the client that the server will echo. The server does not echo, so the typed secret stays hidden. */
export const ECHO_OFF = Buffer.from([IAC, WILL, ECHO]);
export const ECHO_ON = Buffer.from([IAC, WONT, ECHO]);

/** A command that has no effect. Sending it shows whether the other end is still connected. */
export const NOTHING = Buffer.from([IAC, 241]);

/** An event in the received octets: text, or a key or command between two pieces of text. */
export type TelnetEvent =
  | { readonly kind: 'text'; readonly octets: Buffer }
  | { readonly kind: 'interrupt' | 'end' | 'erase-character' | 'erase-line' }
  | { readonly kind: 'reply'; readonly octets: Buffer };

type State = 'data' | 'return' | 'command' | 'option' | 'subnegotiation' | 'subnegotiation-command';

export class TelnetDecoder {
  #state: State = 'data';
  #verb = 0;
  #skipped = 0;

  /** Decodes octets as they arrive. A command may arrive in several chunks. */
  take(chunk: Buffer): TelnetEvent[] {
    const events: TelnetEvent[] = [];
    let text: number[] = [];
    const emit = (event: TelnetEvent | null): void => {
      if (!event) return;
      if (text.length > 0) events.push({ kind: 'text', octets: Buffer.from(text) });
      text = [];
      events.push(event);
    };
    for (const octet of chunk) {
      const was = this.#state;
      if (was === 'command') emit(this.#command(octet, text));
      else if (was === 'option') emit(this.#option(octet));
      else if (was === 'subnegotiation' || was === 'subnegotiation-command') this.#skip(octet);
      else if (octet === IAC) this.#state = 'command';
      // CR NUL and CR LF end a line. A CR without NUL or LF also ends a line, for clients that send keys one by one.
      else if (was === 'return' && (octet === LF || octet === 0)) this.#state = 'data';
      else emit(this.#data(octet, text));
    }
    if (text.length > 0) events.push({ kind: 'text', octets: Buffer.from(text) });
    return events;
  }

  #data(octet: number, text: number[]): TelnetEvent | null {
    this.#state = octet === CR ? 'return' : 'data';
    switch (octet) {
      case CR:
        text.push(LF);
        return null;
      case ETX:
        return { kind: 'interrupt' };
      case EOT:
        return { kind: 'end' };
      case BS:
      case DEL:
        return { kind: 'erase-character' };
      case 0:
        return null;
    }
    text.push(octet);
    return null;
  }

  #command(octet: number, text: number[]): TelnetEvent | null {
    this.#state = 'data';
    switch (octet) {
      case IAC:
        text.push(IAC);
        return null;
      case WILL:
      case WONT:
      case DO:
      case DONT:
        this.#verb = octet;
        this.#state = 'option';
        return null;
      case SB:
        this.#skipped = 0;
        this.#state = 'subnegotiation';
        return null;
      case IP:
      case BRK:
      case ABORT:
      case SUSP:
        return { kind: 'interrupt' };
      case EOF:
        return { kind: 'end' };
      case EC:
        return { kind: 'erase-character' };
      case EL:
        return { kind: 'erase-line' };
      case AYT:
        return { kind: 'reply', octets: Buffer.from('[Yes]\r\n') };
      default:
        return null;
    }
  }

  /** Refusals are not answered, and neither are replies to our own echo option. Otherwise both ends would answer each other forever. */
  #option(option: number): TelnetEvent | null {
    this.#state = 'data';
    if (option === ECHO && this.#verb === DO) return null;
    if (this.#verb === DO) return { kind: 'reply', octets: Buffer.from([IAC, WONT, option]) };
    if (this.#verb === WILL) return { kind: 'reply', octets: Buffer.from([IAC, DONT, option]) };
    return null;
  }

  #skip(octet: number): void {
    this.#skipped += 1;
    if (this.#state === 'subnegotiation-command') this.#state = octet === SE ? 'data' : 'subnegotiation';
    else if (octet === IAC) this.#state = 'subnegotiation-command';
    if (this.#skipped > MOST_IN_SUBNEGOTIATION) this.#state = 'data';
  }
}

/** Encodes a text for telnet. Lines end with CR LF, and every other CR becomes CR NUL. */
export function encodeText(text: string): string {
  return text.replaceAll(/\r(?!\n)|\r?\n/g, (end) => (end === '\r' ? '\r\0' : '\r\n'));
}
