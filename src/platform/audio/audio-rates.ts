/**
 * The rates of sound that is changed to another rate, in hertz: those of telephones, discs, recorders, and of the models
 * that speak (16,000, 22,050, 24,000, 32,000, 44,100, 48,000).
 */
export const AUDIO_RATES: readonly number[] = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];

/** Whether sound of a rate can be changed to another. */
export function isAudioRate(rate: number): boolean {
  return AUDIO_RATES.includes(rate);
}
