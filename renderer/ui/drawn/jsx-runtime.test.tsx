import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';

describe('texts of the page', () => {
  it('Whatever a component draws shows what hides or turns text around as code points, and fields keep what is typed [K2]', () => {
    const hostile = 'a\u202Eb\u200Bc';
    const Named = ({ label }: { label: string }) => <b aria-label={label}>{label}</b>;
    const page = renderToStaticMarkup(
      <section title={hostile}>
        {hostile}
        <>
          {hostile} {3} {[hostile, <i key="i">{hostile}</i>]}
        </>
        <Named label={hostile} />
        <input defaultValue={hostile} placeholder={hostile} />
      </section>,
    );
    const drawn = 'a⟨U+202E⟩b⟨U+200B⟩c';
    expect(page).toBe(
      `<section title="${drawn}">${drawn}${drawn} 3 ${drawn}<i>${drawn}</i><b aria-label="${drawn}">${drawn}</b>` +
        `<input placeholder="${drawn}" value="${hostile}"/></section>`,
    );
  });
});
