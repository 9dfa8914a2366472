import { mod97base10Validate } from 'stdnum/lib/cjs/util/checksum.js';
import type { IdForm } from './compact-id.js';

/** The length of an IBAN in each country (ISO 13616, SWIFT's registry of IBANs). */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24
FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32
LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22
RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`
    .split(/\s/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Answers the form of a country's IBANs, or null where it has none. */
export function ibanForm(country: string): IdForm | null {
  const length = LENGTHS.get(country.toUpperCase());
  // With their check digits, small letters in groups of four are no prose.
  return length === undefined ? null : { characters: `LLdd${'x'.repeat(length - 4)}`, smallGroups: 4 };
}

/** Says whether capital letters and digits of the right length have the check digits of an IBAN (ISO 7064, MOD 97-10). */
export function hasIbanCheckDigits(iban: string): boolean {
  return mod97base10Validate(iban.slice(4) + iban.slice(0, 4));
}
