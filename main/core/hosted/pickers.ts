/** The choices that an agent offers, its modes and options, as the pickers of the panel. Pure. */
import type { NewSessionResponse, SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { AgentPicker } from '#contract/hosted-agent.ts';

/** The id of the picker that stands for the modes of an agent without options. */
export const MODE_PICKER = 'mode';

const MOST_CHOICES = 200;

/**
 * Pickers for the modes and options of a session. Of an agent that tells both the options count, since they hold the modes too. `hidden` are values that are
 * not offered.
 */
export function pickersOf(
  { modes, configOptions }: Partial<NewSessionResponse>,
  hidden: readonly string[],
): AgentPicker[] {
  const options = configOptions ?? [];
  const pickers = options.length > 0 ? options.flatMap(optionPicker) : modes ? [modePicker(modes)] : [];
  return pickers
    .map((picker) => ({
      ...picker,
      choices: picker.choices
        .filter(({ value }) => value === picker.value || !hidden.includes(value))
        .slice(0, MOST_CHOICES),
    }))
    .filter(({ choices }) => choices.length > 1);
}

function modePicker({ availableModes, currentModeId }: SessionModeState): AgentPicker {
  return {
    id: MODE_PICKER,
    title: 'Mode',
    value: currentModeId,
    choices: availableModes.map(({ id, name, description }) => ({ value: id, title: name, detail: description ?? '' })),
  };
}

function optionPicker(option: SessionConfigOption): AgentPicker[] {
  if (option.type !== 'select') return [];
  const choices = option.options.flatMap((each) => ('options' in each ? each.options : [each]));
  return [
    {
      id: option.id,
      title: option.name,
      value: option.currentValue,
      choices: choices.map(({ value, name, description }) => ({ value, title: name, detail: description ?? '' })),
    },
  ];
}
