/** A page as a browser gets it. */
interface Page {
  readonly status: number;
  /** Where it is sent on to. */
  readonly location?: URL;
  readonly text: string;
  readonly headers: Headers;
}

/** A browser: it keeps cookies by their names, whatever host has set them, and follows no redirect by itself. */
export class Browser {
  readonly cookies = new Map<string, string>();

  get(url: URL | string): Promise<Page> {
    return this.request(url, {});
  }

  /** Submits a form. */
  submit(url: URL | string, fields: Readonly<Record<string, string>>): Promise<Page> {
    return this.request(url, { method: 'POST', body: new URLSearchParams(fields) });
  }

  /** Sends JSON, as a page's script does. */
  post(url: URL | string, body: object): Promise<Page> {
    const headers = { 'content-type': 'application/json' };
    return this.request(url, { method: 'POST', body: JSON.stringify(body), headers });
  }

  private async request(url: URL | string, init: RequestInit): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie !== '' && { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const header of response.headers.getSetCookie()) this.keep(header);
    const location = response.headers.get('location');
    return {
      status: response.status,
      ...(location !== null && { location: new URL(location, url) }),
      text: await response.text(),
      headers: response.headers,
    };
  }

  private keep(header: string): void {
    const [pair = ''] = header.split(';');
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1)];
    if (value === '' || /max-age=0/i.test(header)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
