/**
 * Compares the modes and options that an agent reports with its access level: which values the person may choose, and which values must
 * change because they let a model decide, or let calls run without a decision. Pure.
 */
import type { NewSessionResponse, SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { AgentPicker } from '#contract/clients/hosted-agent.ts';

/**
 * The values of modes and options with which the agent asks the person, by option id. The first value of each option is its initial value.
 */
export type AskingValues = Readonly<Record<string, readonly string[]>>;

/** The modes and options that an agent reports when a session opens, and later. */
export type Reported = Pick<Partial<NewSessionResponse>, 'modes' | 'configOptions'>;

/** An option whose value lets the agent act without asking, and the value to use instead; null if the agent offers no such value. */
export interface Correction {
  readonly option: string;
  /** The title of the current value. */
  readonly from: string;
  readonly to: string | null;
}

/** The id of the mode picker of an agent that reports modes but no options. */
export const MODE_PICKER = 'mode';

const MOST_CHOICES = 200;

/** The names of a boolean option's values, as the person sees them. */
const ON = 'on';
const OFF = 'off';
const SWITCH = [
  { value: OFF, title: 'Off', detail: '' },
  { value: ON, title: 'On', detail: '' },
];

/** Matches ids and categories of options that decide whether the agent asks. */
const DECIDES = /mode|permission|approv|allow|sandbox|trust/i;
/**
 * Matches values with which a model decides, or with which calls run without a decision. Used for options that the recipe does not list.
 */
const UNASKED = /auto|yolo|bypass|full|accept|allow|always|never|dont|unrestricted|skip|danger|^on$/i;
/** Matches ids and categories of options that concern the model or the conversation and do not affect permissions. */
const HARMLESS = /^(model|model_config|thought_level|collaboration_mode)$/;

/**
 * Returns pickers for the modes and options of a session. If an agent reports both modes and options, only the options are used, because
 * they include the modes. With `asking`, only values with which the agent asks are offered; if it is null, all values are offered.
 */
export function pickersOf(reported: Reported, asking: AskingValues | null): AgentPicker[] {
  return allPickers(reported)
    .map(({ category, ...picker }) => ({
      ...picker,
      choices: picker.choices
        .filter(({ value }) => asking === null || asks({ ...picker, category }, value, asking))
        .slice(0, MOST_CHOICES),
    }))
    .filter(({ choices }) => choices.length > 1);
}

/** Returns the reported options that currently let the agent act without asking. */
export function correctionsOf(reported: Reported, asking: AskingValues): Correction[] {
  return allPickers(reported)
    .filter((picker) => !asks(picker, picker.value, asking))
    .map((picker) => {
      const wanted = [...(asking[picker.id] ?? []), ...picker.choices.map(({ value }) => value)];
      const to = wanted.find(
        (value) => picker.choices.some((choice) => choice.value === value) && asks(picker, value, asking),
      );
      const from = picker.choices.find(({ value }) => value === picker.value)?.title ?? picker.value;
      return { option: picker.id, from, to: to ?? null };
    });
}

type AnyPicker = AgentPicker & { readonly category: string };

/** Returns true for a value with which the agent asks the person, or for an option that does not affect whether it asks. */
function asks({ id, category }: Pick<AnyPicker, 'id' | 'category'>, value: string, asking: AskingValues): boolean {
  if (asking[id]) return asking[id].includes(value);
  if (HARMLESS.test(category) || HARMLESS.test(id) || !(DECIDES.test(category) || DECIDES.test(id))) return true;
  return !UNASKED.test(value);
}

/** Returns the report with one option changed to another value. */
export function withValue({ modes, configOptions }: Reported, id: string, value: string): Reported {
  return {
    modes: id === MODE_PICKER && modes ? { ...modes, currentModeId: value } : (modes ?? null),
    configOptions: (configOptions ?? []).map((each) => {
      if (each.id !== id) return each;
      return each.type === 'boolean' ? { ...each, currentValue: value === ON } : { ...each, currentValue: value };
    }),
  };
}

/** Returns the value of an option in the form that the agent expects: a boolean for an option that is on or off. */
export function valueFor({ configOptions }: Reported, id: string, value: string): string | boolean {
  const option = configOptions?.find((each) => each.id === id);
  return option?.type === 'boolean' ? value === ON : value;
}

function allPickers({ modes, configOptions }: Reported): AnyPicker[] {
  const options = configOptions ?? [];
  return options.length > 0 ? options.map(optionPicker) : modes ? [modePicker(modes)] : [];
}

function modePicker({ availableModes, currentModeId }: SessionModeState): AnyPicker {
  return {
    id: MODE_PICKER,
    title: 'Mode',
    category: 'mode',
    value: currentModeId,
    choices: availableModes.map(({ id, name, description }) => ({ value: id, title: name, detail: description ?? '' })),
  };
}

function optionPicker(option: SessionConfigOption): AnyPicker {
  const { id, name: title, category } = option;
  const picker = { id, title, category: category ?? '' };
  if (option.type === 'boolean') return { ...picker, value: option.currentValue ? ON : OFF, choices: SWITCH };
  const choices = option.options.flatMap((each) => ('options' in each ? each.options : [each]));
  return {
    ...picker,
    value: option.currentValue,
    choices: choices.map(({ value, name, description }) => ({ value, title: name, detail: description ?? '' })),
  };
}
