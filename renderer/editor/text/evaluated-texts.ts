/**
 * Texts of evaluated forms that are not in any file, such as forms typed in the REPL. They are shown as the source locations of the
 * definitions that the forms created. A peek shows such a text in a separate model; Go to Definition opens it in a tab.
 */
import type { FoundDefinition } from '#contract/image/introspection.ts';
import { addBuffer, buffers, change, modelOf } from './buffers.ts';
import { LISP } from '../monaco/language.ts';
import { monaco } from '../monaco/monaco.ts';

type Model = monaco.editor.ITextModel;
type Evaluated = Pick<FoundDefinition, 'name'> & NonNullable<FoundDefinition['evaluated']>;

/** The number of stored models; the oldest is disposed first. */
const KEPT = 40;

/** The texts without a tab, by the addresses of their models; the oldest first. */
const shown = new Map<string, { readonly form: Evaluated; readonly model: Model }>();
let made = 0;

/** Returns the models for the evaluated definitions that are not in any file, one model per form. */
export function evaluatedModels(definitions: readonly FoundDefinition[]): Model[] {
  return [
    ...new Set(definitions.flatMap(({ name, evaluated }) => (evaluated ? [modelOfForm({ name, ...evaluated })] : []))),
  ];
}

/** Opens the text at an address in a new tab, without showing it. Returns its id, or null for any other address. */
export function openEvaluated(address: monaco.Uri): string | null {
  const known = shown.get(address.toString());
  if (!known) return null;
  const { name, text, package: inPackage } = known.form;
  const id = addBuffer({ path: null, title: name, text, digest: null, dirty: false, passing: true });
  change(id, { notice: { kind: 'evaluated', package: inPackage } });
  return id;
}

function modelOfForm(form: Evaluated): Model {
  const tab = buffers
    .getState()
    .buffers.find(
      ({ id, notice }) =>
        notice?.kind === 'evaluated' && notice.package === form.package && modelOf(id)?.getValue() === form.text,
    );
  if (tab) return modelOf(tab.id)!;
  for (const { form: other, model } of shown.values())
    if (other.text === form.text && other.package === form.package) return model;
  made += 1;
  const uri = monaco.Uri.from({ scheme: 'evaluated', path: `/${form.name}`, query: String(made) });
  const model = monaco.editor.createModel(form.text, LISP, uri);
  shown.set(uri.toString(), { form, model });
  for (const [address, oldest] of [...shown].slice(0, -KEPT)) {
    shown.delete(address);
    oldest.model.dispose();
  }
  return model;
}
