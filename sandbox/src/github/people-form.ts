import { freeUserId, type User } from '../git/users.ts';
import { type Host, peopleOf } from './host.ts';
import { type Html, html } from './page.ts';

export type FormFields = Record<string, string | undefined>;

/** A form to select a known user, or to enter a new one. `kept` are its hidden fields. */
export const peopleForm = (host: Host, action: string, hiddenFields: FormFields, more: Html = html``): Html => {
  const hidden = Object.entries(hiddenFields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value ?? ''}">`,
  );
  return html`
<form method="post" action="${action}">
${hidden}${more}
<fieldset><legend>Authorize as</legend>
<div class="people">${peopleOf(host)
    .slice(0, mostPeople)
    .map(
      ({ login, name }) => html`<button name="login" value="${login}">${login}<small>${name}</small></button>`,
    )}</div></fieldset>
<button name="login" value="">Cancel</button>
</form>
<form method="post" action="${action}">
${hidden}${more}
<fieldset><legend>Another person</legend>
<label class="stacked">Login<input name="login" required pattern="[A-Za-z0-9][A-Za-z0-9\\-]{0,38}"></label>
<label class="stacked">Name<input name="name" maxlength="200"></label>
<label class="stacked">Email<input name="email" type="email" maxlength="254"></label>
<label><input type="checkbox" name="verified" value="yes" checked>The email is confirmed</label></fieldset>
<button class="main">Authorize as another person</button>
</form>`;
};

/** The selected user, or a new one with the given name and address. Undefined on cancel. */
export const personOf = ({ users }: Host, { login = '', name, email, verified }: FormFields): User | undefined => {
  const known = users.byLogin.get(login.toLowerCase());
  if (known !== undefined && email === undefined) return known;
  if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/.test(login)) return undefined;
  const user: User = known ?? { id: freeUserId(users, login), login, name: name || login, type: 'User', emails: [] };
  if (email) setAddress(user, email, verified === 'yes');
  users.byLogin.set(login.toLowerCase(), user);
  return user;
};

// An unconfirmed address does not assign commits to the user; only their own page shows it.
const setAddress = (user: User, email: string, isVerified: boolean): void => {
  user.emails = [email, ...user.emails.filter((other) => other !== email)];
  user.unverified = [...(user.unverified ?? []).filter((other) => other !== email), ...(isVerified ? [] : [email])];
};

const mostPeople = 60;
