import { expect, it } from '@jest/globals';
import { initialSettings, updatedSettings } from '../../../src/echo/live/session-settings.js';

const before = initialSettings(undefined);

it.each(['en', 'pt-BR', 'zh-Hant-TW'])('takes a language: %s', (language) => {
  expect(updatedSettings(before, { audio: { input: { transcription: { language } } } }).language).toBe(language);
});

it.each(['english please', '../x', 'e', 'en\n', 'e\u0001'])('refuses what is none: %j', (language) => {
  expect(() => updatedSettings(before, { audio: { input: { transcription: { language } } } })).toThrow(
    expect.objectContaining({ details: { param: 'session.audio.input.transcription.language' } }),
  );
});
