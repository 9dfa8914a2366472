// The page of mailed links. What a link says stands behind # and reaches no server; it is taken out of the address bar.

/** What a link may fill in. */
const FILLED = ['token', 'email'];

for (const form of document.forms) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
}
const password = /** @type {HTMLInputElement} */ (document.getElementById('new-password'));
const isShown = /** @type {HTMLInputElement} */ (document.getElementById('password-shown'));
isShown.addEventListener('change', () => (password.type = isShown.checked ? 'text' : 'password'));
password.form?.addEventListener('reset', () => (password.type = 'password'));
addEventListener('hashchange', openLink);
openLink();

/** Shows what the link asks for. */
function openLink() {
  const link = location.hash.slice(1);
  if (link === '' && document.querySelector('section:not([hidden])')) return;
  history.replaceState(null, '', location.pathname);
  const [, name = 'ask', query = ''] = /^\/([\w-]+)\?(.*)$/.exec(link) ?? [];
  if (link.startsWith('code=')) return show('signed-in');
  if (link.startsWith('error=')) return show('sign-in-failed');
  const form = document.getElementById(name)?.querySelector('form');
  if (!form) return show('ask');
  form.reset();
  const parameters = new URLSearchParams(query);
  for (const field of FILLED) {
    const input = form.elements.namedItem(field);
    if (input instanceof HTMLInputElement) input.value = parameters.get(field) ?? '';
  }
  show(form.parentElement?.id ?? 'ask');
}

/**
 * Shows one section alone, and leads keyboards and screen readers there.
 * @param {string} id
 */
function show(id) {
  for (const section of document.querySelectorAll('section')) {
    section.hidden = section.id !== id;
    if (section.hidden) continue;
    document.title = section.querySelector('h1')?.textContent ?? '';
    const inputs = [...section.querySelectorAll('input')];
    const empty = inputs.find(({ type, value }) => !['hidden', 'checkbox'].includes(type) && value === '');
    (empty ?? section.querySelector('h1'))?.focus();
  }
}

/**
 * Sends a form as the JSON of its endpoint, once at a time.
 * @param {HTMLFormElement} form
 */
async function send(form) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
  if (button.getAttribute('aria-disabled') === 'true') return;
  tell(form, '');
  button.setAttribute('aria-disabled', 'true');
  const error = await post(form.dataset.path ?? '', Object.fromEntries(new FormData(form)));
  button.removeAttribute('aria-disabled');
  if (!error) {
    form.reset();
    show(form.dataset.next ?? 'ask');
  } else if (error.param === 'token') {
    show('ask');
    tell(/** @type {HTMLFormElement} */ (document.querySelector('#ask form')), error.message);
  } else {
    tell(form, error.message, error.param);
  }
}

/**
 * Tells what is wrong, and leads to the field that it is about.
 * @param {HTMLFormElement} form
 * @param {string} message
 * @param {string} [param] the field, as the server names it
 */
function tell(form, message, param) {
  const alert = /** @type {HTMLElement} */ (form.querySelector('[role=alert]'));
  for (const input of form.querySelectorAll('input')) input.removeAttribute('aria-invalid');
  const input = param ? form.elements.namedItem(param) : null;
  if (input instanceof HTMLInputElement && param) {
    const label = input.labels?.[0]?.textContent ?? param;
    alert.textContent = message.startsWith(param) ? label + message.slice(param.length) : message;
    input.setAttribute('aria-invalid', 'true');
    input.focus();
  } else {
    alert.textContent = message;
  }
}

/**
 * @param {string} path
 * @param {object} body
 * @returns {Promise<{ message: string, param?: string } | undefined>} what is wrong, if anything
 */
async function post(path, body) {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.ok) return undefined;
    const answer = await response.json().catch(() => undefined);
    return answer?.error ?? { message: `The server could not do that (${response.status}). Please try again later.` };
  } catch {
    return { message: 'The server cannot be reached. Please try again later.' };
  }
}
