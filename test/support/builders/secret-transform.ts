import type { AnswerText, TextFormat, TextTransform } from '../../../src/inference/calls/text-transform.js';

/** Puts a mask in the place of the word `secret`, and holds back what could become it; counts what it cannot read. */
export class SecretTransform implements TextTransform {
  unreadable = 0;
  begun = 0;

  transformPrompt(text: string): string {
    return text.replaceAll('secret', '[WORD]');
  }

  beginAnswer(_format?: TextFormat, _isRepeat?: boolean): AnswerText {
    this.begun += 1;
    let held = '';
    return {
      get held() {
        return held;
      },
      write: (piece) => {
        const text = held + piece;
        held = /(?:s|se|sec|secr|secre)$/.exec(text)?.[0] ?? '';
        return text.slice(0, text.length - held.length).replaceAll('secret', '[WORD]');
      },
      end: () => {
        const rest = held;
        held = '';
        return rest;
      },
    };
  }

  checkUnreadable(): void {
    this.unreadable += 1;
  }
}
