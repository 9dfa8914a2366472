import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Response } from 'express';
import helmet from 'helmet';

const FOLDER = new URL('../../pages/', import.meta.url);

/** Answers a path; the path is its route. */
export type Answer = (response: Response) => Promise<void>;

/** Content security policy directives by their names in camel case, such as `scriptSrc`. */
type Directives = Readonly<Record<string, readonly string[]>>;

/** A web page, and what puts its headers on an answer. */
export interface WebPage {
  readonly html: Buffer;
  readonly protect: ReturnType<typeof helmet>;
}

/**
 * A page with the headers that keep it to itself: its inline scripts and styles are allowed by their hashes, it connects
 * to this server alone, and no other page may frame it.
 * @param directives what differs in its content security policy
 */
export function toPage(html: string, directives: Directives = {}): WebPage {
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: [`'none'`],
        scriptSrc: inlineHashes(html, 'script'),
        styleSrc: inlineHashes(html, 'style'),
        imgSrc: ['data:'],
        connectSrc: [`'self'`],
        baseUri: [`'none'`],
        formAction: [`'none'`],
        frameAncestors: [`'none'`],
        ...directives,
      },
    },
    xFrameOptions: { action: 'deny' },
    // Every answer has it, where it travels over TLS.
    strictTransportSecurity: false,
  });
  return { html: Buffer.from(html), protect };
}

/**
 * Reads a page of `pages/`; the styles and scripts that it names there become part of it.
 * @param name the file, such as `account.html`
 */
export function readHtml(name: string): string {
  return readText(name)
    .replace(/<link rel="stylesheet" href="(.+?)">/g, (_tag, file: string) => `<style>${readText(file)}</style>`)
    .replace(/<script src="(.+?)"><\/script>/g, (_tag, file: string) => `<script>${readText(file)}</script>`);
}

/** Sends a page. */
export function sendPage(response: Response, { html, protect }: WebPage): void {
  protect(response.req, response, () => void response.type('html').send(html));
}

/** What lets the inline elements of a page with this tag run, and no others. */
export function inlineHashes(html: string, tag: 'script' | 'style'): string[] {
  return [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
}

function readText(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}
