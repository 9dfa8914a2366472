import type { ExtractionSchema } from '../../../../src/documents/schema/schema.types.js';
import { Random } from '../../../crash/random.js';
import type { Language, SetDocument, TrueValue } from '../set/document.types.js';
import { HELD_OUT_LANGUAGE } from '../set/label-split.js';
import { toSchema } from '../set/schema-builder.js';
import type { FieldShape, FieldShapes } from '../set/schema-builder.js';
import { PAGE, Sheet } from '../set/sheet.js';
import type { ValuePart } from '../set/sheet.js';
import { COUNTRIES, pickDateStyle, writeDate, writeNumber } from '../set/writing.js';
import type { Country, DateStyle } from '../set/writing.js';
import { FORMS } from './form-specs.js';
import type { FormField, FormSpec } from './form-specs.js';

type Written = ValuePart & { readonly text: string };

const YES_NO: Readonly<Record<Language, readonly [yes: string, no: string]>> = {
  en: ['Yes', 'No'],
  de: ['Ja', 'Nein'],
  fr: ['Oui', 'Non'],
  es: ['Sí', 'No'],
};
const LEFT = 60;

/** How a form is written: lines, two columns, labels above, two beside each other. */
const FORMS_OF_FACTS = ['colon', 'columns', 'above', 'pairs'] as const;

/** Writes filled forms, each with a schema of its own, one after another. */
export async function* makeForms(total: number, seed: number): AsyncGenerator<SetDocument> {
  for (let index = 0; index < total; index += 1) {
    const random = new Random(seed * 1_000_003 + 700_000 + index);
    const spec = FORMS[index % FORMS.length] as FormSpec;
    const form = FORMS_OF_FACTS[
      Math.floor(index / FORMS.length) % FORMS_OF_FACTS.length
    ] as (typeof FORMS_OF_FACTS)[number];
    const country = random.pick(COUNTRIES.filter(({ language }) => language === spec.language)) as Country;
    const sheet = new Sheet(random.pick(['Helvetica', 'Times']));
    const writer = new FormWriter(sheet, spec, random, country);
    writer.write(form);
    const pdf = await sheet.end();
    yield {
      id: `form-${index}`,
      kind: 'form',
      language: spec.language,
      layout: `${spec.name}, ${form}`,
      heldOut: [
        ...(spec.isHeldOut ? (['template'] as const) : []),
        ...(spec.language === HELD_OUT_LANGUAGE ? (['language'] as const) : []),
      ],
      schema: schemaOf(spec),
      pdf,
      truth: sheet.truth,
    };
  }
}

class FormWriter {
  private readonly style: DateStyle;
  private y = 60;

  constructor(
    private readonly sheet: Sheet,
    private readonly spec: FormSpec,
    private readonly random: Random,
    private readonly country: Country,
  ) {
    this.style = pickDateStyle(random);
  }

  write(form: (typeof FORMS_OF_FACTS)[number]): void {
    const { sheet, spec } = this;
    sheet.line(LEFT, this.y, [spec.title], { size: 18, bold: true });
    this.y += 44;
    for (const [place, field] of spec.fields.entries()) {
      const isRight = form === 'pairs' && place % 2 === 1;
      this.writeFact(form, isRight ? 320 : LEFT, this.labelOf(field), this.partsOf(field, field.name));
      if (form !== 'pairs' || isRight || place === spec.fields.length - 1) this.y += form === 'above' ? 32 : 20;
    }
    this.y += 20;
    if (spec.list) this.writeList(spec.list);
    if (spec.table) this.writeTable(spec.table);
    sheet.line(PAGE.width / 2, 790, ['1 / 1'], { size: 8, align: 'center' });
  }

  private labelOf({ labels, otherLabel }: FormField): string {
    return this.spec.isHeldOut && otherLabel !== undefined && this.random.chance(0.5)
      ? otherLabel
      : this.random.pick(labels);
  }

  private partsOf(field: FormField, path: string): (string | Written)[] {
    const value = field.make(this.random);
    const written: Written = { path, value, text: this.textOf(field, value) };
    return field.unit === undefined ? [written] : [written, ` ${field.unit}`];
  }

  private textOf({ kind }: FormField, value: TrueValue['value']): string {
    if (kind === 'date') return writeDate(String(value), this.country, this.style);
    if (kind === 'integer') return writeNumber(Number(value), this.country, 0);
    if (kind === 'number') return writeNumber(Number(value), this.country, Number.isInteger(value) ? 2 : 2);
    return kind === 'boolean' ? YES_NO[this.spec.language][value ? 0 : 1] : String(value);
  }

  private writeFact(form: string, x: number, label: string, parts: (string | Written)[]): void {
    const style = { size: 10.5 };
    if (form === 'columns') {
      this.sheet.line(x, this.y, [label], style);
      this.sheet.line(x + 180, this.y, parts, style);
    } else if (form === 'above') {
      this.sheet.line(x, this.y, [label], { size: 8 });
      this.sheet.line(x, this.y + 11, parts, style);
    } else this.sheet.line(x, this.y, [`${label}: `, ...parts], style);
  }

  private writeList({ name, labels, values }: NonNullable<FormSpec['list']>): void {
    const some = values.filter(() => this.random.chance(0.6));
    const parts = some.flatMap((value, index): (string | Written)[] => [
      ...(index === 0 ? [] : [', ']),
      { path: `${name}[${index}]`, value, text: value },
    ]);
    if (parts.length === 0) return;
    this.sheet.line(LEFT, this.y, [`${this.random.pick(labels)}: `, ...parts], { size: 10.5 });
    this.y += 26;
  }

  private writeTable({ name, columns }: NonNullable<FormSpec['table']>): void {
    const width = (PAGE.width - 2 * LEFT) / columns.length;
    for (const [place, column] of columns.entries()) {
      this.sheet.line(LEFT + place * width, this.y, [this.random.pick(column.labels)], { size: 10, bold: true });
    }
    this.y += 16;
    this.sheet.rule(LEFT, this.y - 3, PAGE.width - 2 * LEFT);
    const rows = this.random.between(2, 9);
    for (let row = 0; row < rows; row += 1) {
      for (const [place, column] of columns.entries()) {
        const parts = this.partsOf(column, `${name}[${row}].${column.name}`);
        this.sheet.line(LEFT + place * width, this.y, parts, { size: 10 });
      }
      this.y += 16;
    }
  }
}

function schemaOf({ fields, table, list }: FormSpec): ExtractionSchema {
  const shapes = (some: readonly FormField[]): FieldShapes =>
    Object.fromEntries(
      some.map(({ name, kind, labels, options }): [string, FieldShape] => [
        name,
        { kind, labels, ...(options ? { options } : {}) },
      ]),
    );
  return toSchema({
    ...shapes(fields),
    ...(list ? { [list.name]: { list: 'string', labels: list.labels } as const } : {}),
    ...(table ? { [table.name]: { rows: shapes(table.columns) } } : {}),
  });
}
