/**
 * Keeps the modes and options of one agent's session within the agent's access level. If the agent reports a value that lets it act without
 * asking the person, changes the value back.
 */
import type { SessionConfigOption } from '@agentclientprotocol/sdk';
import type { AgentPicker, AgentStanding } from '#contract/clients/hosted-agent.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { AgentConnection } from '../acp/connection.ts';
import type { Recipe } from '../recipes/recipe.ts';
import { type Correction, correctionsOf, MODE_PICKER, pickersOf, type Reported, valueFor, withValue } from './modes.ts';
import { StandingError } from './standing-error.ts';

export interface HeldModesParts {
  readonly recipe: Pick<Recipe, 'title' | 'asks'>;
  readonly standing: AgentStanding;
  /** Returns the connection that is used to change modes. */
  readonly connection: () => Pick<AgentConnection, 'setMode' | 'setOption'>;
  /** Called when the displayed values have changed. */
  readonly changed: () => void;
  /** Called when a sandboxed agent does not stay in a mode in which it asks, and no call is waiting for the result. */
  readonly lost: (error: unknown) => void;
}

/**
 * The maximum number of corrections until the person's next choice or message. An agent that needs more counts as violating its access
 * level.
 */
const MOST_CORRECTIONS = 5;

export class HeldModes {
  readonly #parts: HeldModesParts;
  #reported: Reported = {};
  #corrections = 0;
  #holding: Promise<void> | null = null;
  #isOpen = false;
  /** Modes and options that the agent reported before its session was open. */
  #early: { readonly mode?: string; readonly configOptions?: SessionConfigOption[] } = {};

  constructor(parts: HeldModesParts) {
    this.#parts = parts;
  }

  get pickers(): AgentPicker[] {
    const { standing, recipe } = this.#parts;
    return pickersOf(this.#reported, standing === 'unconfined' ? null : recipe.asks);
  }

  /** Records that a session is about to open. Until it is open, no value can be changed. */
  opening(): void {
    this.#isOpen = false;
    this.#early = {};
    this.#reported = {};
  }

  /**
   * Processes the answer that opens a session. The values of an unconfined agent are corrected only here, because the person may choose
   * other values later.
   * @throws StandingError as `hold` does.
   */
  async opened(answer: Reported): Promise<void> {
    this.expectChanges();
    this.#isOpen = true;
    const early = this.#early;
    this.#reported = {
      modes: answer.modes ?? null,
      configOptions: answer.configOptions ?? early.configOptions ?? null,
    };
    if (this.#parts.standing === 'unconfined') return this.#ask();
    await this.hold();
    // The early report may be older or newer than the answer, so the values in both are checked.
    if (early.configOptions) this.#reported = { ...this.#reported, configOptions: early.configOptions };
    if (early.mode !== undefined) this.#reported = withValue(this.#reported, MODE_PICKER, early.mode);
    await this.hold();
  }

  /** Resets the count of corrections, because the person has chosen a value or sent a message. */
  expectChanges(): void {
    this.#corrections = 0;
  }

  modeChanged(mode: string): void {
    if (this.#isOpen) this.#become(withValue(this.#reported, MODE_PICKER, mode));
    else this.#early = { ...this.#early, mode };
  }

  optionsChanged(configOptions: SessionConfigOption[]): void {
    if (this.#isOpen) this.#become({ ...this.#reported, configOptions });
    else this.#early = { ...this.#early, configOptions };
  }

  /**
   * Sets a value that the person chose. @throws WorkbenchError `not-found` if the value is not offered. Errors from the agent are passed
   * on.
   */
  async choose(picker: string, value: string): Promise<void> {
    const shown = this.pickers.find(({ id }) => id === picker);
    if (!shown?.choices.some((choice) => choice.value === value))
      throw new WorkbenchError('not-found', 'The agent no longer offers that mode.');
    this.expectChanges();
    await this.#set(picker, value);
  }

  /**
   * Corrects values until the agent asks the person about everything. @throws StandingError if the agent offers no value that asks, or does
   * not switch to it.
   */
  hold(): Promise<void> {
    return (this.#holding ??= this.#hold());
  }

  async #hold(): Promise<void> {
    await Promise.resolve(); // lets `hold` store the promise before this function can end
    try {
      for (let wrong = this.#wrong; wrong; wrong = this.#wrong) {
        if (wrong.to !== null && this.#corrections < MOST_CORRECTIONS) {
          this.#corrections += 1;
          await this.#correct(wrong.option, wrong.to);
        } else this.#refuse(wrong);
        if (isSame(this.#wrong, wrong)) this.#refuse(wrong);
      }
    } finally {
      // Cleared before the values are checked, so that a later report starts a new run.
      this.#holding = null;
    }
  }

  /** Requests values with which the agent asks the person. A refusal by the agent is not an error. */
  async #ask(): Promise<void> {
    for (const { option, to } of correctionsOf(this.#reported, this.#parts.recipe.asks))
      if (to !== null) await this.#correct(option, to);
  }

  get #wrong(): Correction | undefined {
    return correctionsOf(this.#reported, this.#parts.recipe.asks)[0];
  }

  #refuse({ from }: Correction): never {
    throw new StandingError(
      `${this.#parts.recipe.title} is in the mode “${from}”, which acts without asking. The mode could not be changed, so the agent was ended.`,
      'unconfined',
    );
  }

  /** Requests a value. If the agent refuses the change, its value remains and is checked afterwards. */
  async #correct(option: string, value: string): Promise<void> {
    await this.#set(option, value).catch(() => {});
  }

  async #set(option: string, value: string): Promise<void> {
    const connection = this.#parts.connection();
    if (option === MODE_PICKER && !this.#reported.configOptions?.length) {
      await connection.setMode(value);
      this.#reported = withValue(this.#reported, option, value);
    } else {
      const configOptions = await connection.setOption(option, valueFor(this.#reported, option, value));
      this.#reported = { ...this.#reported, configOptions };
    }
    this.#parts.changed();
  }

  #become(reported: Reported): void {
    this.#reported = reported;
    this.#parts.changed();
    if (this.#parts.standing !== 'unconfined') void this.hold().catch(this.#parts.lost);
  }
}

function isSame(one: Correction | undefined, other: Correction): boolean {
  return one?.option === other.option && one.from === other.from;
}
