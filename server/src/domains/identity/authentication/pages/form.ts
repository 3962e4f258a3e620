import { type Html, html } from '#core/pages/html.ts';

export interface Field {
  name: string;
  label: string;
  type: 'email' | 'password' | 'text';
  autocomplete: string;
  inputmode?: 'numeric';
  value?: string | undefined;
  hint?: string;
  error?: string | undefined;
  autofocus?: boolean;
  /** A link at the end of the label line. */
  aside?: Html;
}

/** An input with its label, a hint and an error message. */
export const formField = ({
  name,
  label,
  type,
  autocomplete,
  inputmode,
  value,
  hint,
  error,
  autofocus,
  aside,
}: Field): Html => {
  const described = [hint === undefined ? '' : `${name}-hint`, error === undefined ? '' : `${name}-error`]
    .join(' ')
    .trim();
  return html`<div class="field">
<span class="pair"><label for="${name}">${label}</label>${aside}</span>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${inputmode !== undefined && html` inputmode="${inputmode}"`} value="${value ?? ''}" required maxlength="320"${autofocus === true && html` autofocus`}${described !== '' && html` aria-describedby="${described}"`}${error !== undefined && html` aria-invalid="true"`}>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error !== undefined && html`<p class="wrong" id="${name}-error">${error}</p>`}
</div>`;
};

/** A POST form with the CSRF secret. */
export const postForm = (
  action: string,
  csrf: string,
  fields: Html,
  submit: string,
): Html => html`<form method="post" action="${action}" novalidate>
<input type="hidden" name="csrf" value="${csrf}">
${fields}
<button class="button primary">${submit}</button>
</form>`;

/** An error message for the complete form, announced by screen readers at once. */
export const formAlert = (text: string | undefined): Html =>
  text === undefined ? html`` : html`<p class="error" role="alert">${text}</p>`;
