import { namesOne, withoutWords } from '#platform/names-in-texts'

const family = [
  "Chipo Ng'andu-Zulu",
  'Zoé',
  'The Mwale family',
  'zulu77',
  'chipo@example.org',
  '+260977613509',
]

test.each([
  ['Chipo is ill', '[deleted] is ill'],
  ['CHIPO NG’ANDU’s party', '[deleted] [deleted]’s party'],
  ['Chipo and Ng`andu', '[deleted] and [deleted]'],
  ['for Ngandu Zulu', 'for [deleted] [deleted]'],
  ['for Ng\u0301andu-Zulu.', 'for [deleted].'],
  ['Zoe and Zoé went', '[deleted] and [deleted] went'],
  ['mailed to Chipo@Example.org', 'mailed to [deleted]'],
  ['asked zulu77 twice', 'asked [deleted] twice'],
  ['call 0977 613-509 or +260977613509', 'call [deleted] or [deleted]'],
  ['The family of Mwale', 'The family of [deleted]'],
])('%s: what names the family is taken out, however it is written', (text, left) => {
  expect(withoutWords(text, family)).toBe(left)
})

test.each(['Zulus dance', 'Mwaleni Road is closed', 'receipt 10977613509', 'for the children', 'Café ½'])(
  '%s: what only looks like it stays as it is',
  (text) => {
    expect(withoutWords(text, family)).toBe(text)
  },
)

test('signs of expressions in names are signs', () => {
  expect(withoutWords('a (b+) c and b', ['(b+)'])).toBe('a [deleted] c and b')
  expect(withoutWords('A.C. or ABC', ['A.C.'])).toBe('[deleted] or ABC')
  expect(withoutWords('nobody', [])).toBe('nobody')
})

test.each([
  ['BANDA RUTH MRS', true],
  ['for Ruth-Mary Banda', false],
  ['Peter Banda', false],
  ['ruth@example.org', false],
  ['Chipo', false],
])('%j names Ruth Banda, Chipo or ruth@example.org: %s', (text, is) => {
  expect(namesOne(text, ['Mrs Ruth Banda', 'Chipo', 'ruth@example.org'])).toBe(is)
})
