/** Documents that once held up the server for seconds; each is small enough to be sent without a token. */
export function graphqlFloods(): [what: string, query: string][] {
  return [
    ['one field again and again', `{ ${repeated('__typename ', 5_900)} }`],
    ['one object again and again', `{ ${repeated('health{status}', 1_200)} }`],
    ['one object again and again below another', `{ me { ${repeated('tenant{id}', 1_200)} } }`],
    ['braces within braces', repeated('{a', 30_000)],
    ['fields within fields', `{ me ${repeated('{ tenant ', 2_000)} ${repeated('}', 2_000)} }`],
    ['many operations', repeated('{a}', 20_000)],
    ['many directives', `{ health { status ${repeated('@skip ', 10_000)} } }`],
    [
      'many fragments in one place',
      `{ me { ${many(400, (n) => `...f${n}`)} } } ${many(400, (n) => `fragment f${n} on User { id tenant { id } }`)}`,
    ],
    [
      'fragments that double',
      `{ me { ...f0 } } ${many(300, (n) => `fragment f${n} on User { id ...f${n + 1} ...f${n + 1} }`)} fragment f300 on User { id }`,
    ],
    [
      'objects that double',
      `{ me { ...f0 } } ${many(10, (n) => `fragment f${n} on User { a: tenant { users { edges { node { ...f${n + 1} } } } } b: tenant { users { edges { node { ...f${n + 1} } } } } }`)} fragment f10 on User { id }`,
    ],
    [
      'fragments of one field each in one place',
      `{ ${many(540, (n) => `...f${n}`)} } ${many(540, (n) => `fragment f${n} on Query { a${n} }`)}`,
    ],
    [
      'the schema again and again',
      `{ ${many(15, (n) => `s${n}: __schema { types { fields { name type { fields { name } } } } }`)} }`,
    ],
    ['introspection within itself', '{ __schema { types { ...f } } } fragment f on __Type { ofType { ...f } }'],
    [
      'introspection within itself by two fragments',
      '{ __type(name: "User") { ...f } } fragment f on __Type { ofType { ...g } } fragment g on __Type { ofType { ...f } }',
    ],
    ['deep introspection', `{ __schema { types { ${repeated('ofType { ', 1_600)} name ${repeated('}', 1_600)} } } }`],
    ['the subgraph again and again', `{ ${many(15, (n) => `s${n}: _service { sdl }`)} }`],
    ['a fragment within itself', '{ me { ...f } } fragment f on User { tenant { users { edges { node { ...f } } } } }'],
    ['a list of many numbers', `mutation { createResponse(body: [${repeated('1,', 30_000)}]) { id } }`],
    ['a list within lists', `mutation { createResponse(body: ${repeated('[', 2_400)}${repeated(']', 2_400)}) { id } }`],
    [
      'an object within objects',
      `mutation { createResponse(body: ${repeated('{a:', 100)}1${repeated('}', 100)}) { id } }`,
    ],
    ['a deep value in a directive', `{ health { status @skip(if: ${repeated('[', 100)}${repeated(']', 100)}) } }`],
    [
      'a deep default of a variable',
      `query ($v: JSON = ${repeated('[', 100)}${repeated(']', 100)}) { health { status } }`,
    ],
    ['names that are not there', `{ ${many(6_000, (n) => `z${n}`)} }`],
    ['comments alone', `${repeated('#\n', 15_000)}{ nothing }`],
  ];
}

/** Operations, and more variables than any of them needs. */
export function manyVariables(operations: number, variables: number): object {
  const query = Array.from({ length: operations }, (_, index) => `query q${index} { health { status } }`).join(' ');
  const values = Object.fromEntries(Array.from({ length: variables }, (_, index) => [`${index.toString(36)}_`, 1]));
  return { query, operationName: 'q0', variables: values };
}

function repeated(text: string, times: number): string {
  return text.repeat(times);
}

function many(count: number, item: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => item(index)).join(' ');
}
