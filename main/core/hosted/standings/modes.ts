/**
 * The modes and options that an agent reports, against what its standing promises: which the person may choose, and which values have to be changed
 * since a model or nobody would decide with them. Pure.
 */
import type { NewSessionResponse, SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { AgentPicker } from '#contract/clients/hosted-agent.ts';

/** The values of modes and options with which the agent asks the person, by the id of the option; the first is the one to begin with. */
export type AskingValues = Readonly<Record<string, readonly string[]>>;

/** The modes and options that an agent reports when a session is opened, and later. */
export type Reported = Pick<Partial<NewSessionResponse>, 'modes' | 'configOptions'>;

/** An option whose value lets the agent act unasked, with the value that asks; null where it offers none. */
export interface Correction {
  readonly option: string;
  /** The title of the value that it has. */
  readonly from: string;
  readonly to: string | null;
}

/** The id of the picker that stands for the modes of an agent without options. */
export const MODE_PICKER = 'mode';

const MOST_CHOICES = 200;

/** The values of an option that is true or false, as a person chooses them. */
const ON = 'on';
const OFF = 'off';
const SWITCH = [
  { value: OFF, title: 'Off', detail: '' },
  { value: ON, title: 'On', detail: '' },
];

/** Options that decide whether somebody is asked, by their ids and categories. */
const DECIDES = /mode|permission|approv|allow|sandbox|trust/i;
/** Names of values with which a model or nobody decides, where the program is not known better. */
const UNASKED = /auto|yolo|bypass|full|accept|allow|always|never|dont|unrestricted|skip|danger|^on$/i;
/** Modes of the model and of the conversation, which decide nothing. */
const HARMLESS = /^(model|model_config|thought_level|collaboration_mode)$/;

/**
 * Pickers for the modes and options of a session. Of an agent that tells both the options count, since they hold the modes too. With `asking` only
 * values with which the agent asks are offered; with null all are.
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

/** Returns the options that let the agent act unasked as it reports them. */
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

/** True for a value with which the person is asked, or which has nothing to do with that. */
function asks({ id, category }: Pick<AnyPicker, 'id' | 'category'>, value: string, asking: AskingValues): boolean {
  if (asking[id]) return asking[id].includes(value);
  if (HARMLESS.test(category) || HARMLESS.test(id) || !(DECIDES.test(category) || DECIDES.test(id))) return true;
  return !UNASKED.test(value);
}

/** Returns what was reported with another value of one option. */
export function withValue({ modes, configOptions }: Reported, id: string, value: string): Reported {
  return {
    modes: id === MODE_PICKER && modes ? { ...modes, currentModeId: value } : (modes ?? null),
    configOptions: (configOptions ?? []).map((each) => {
      if (each.id !== id) return each;
      return each.type === 'boolean' ? { ...each, currentValue: value === ON } : { ...each, currentValue: value };
    }),
  };
}

/** Returns the value of an option as its agent takes it: true or false of one that is on or off. */
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
