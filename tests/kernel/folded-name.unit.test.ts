import { foldedName, foldedSearch, foldedWords, isBlankName } from '#kernel/folded-name'

test.each([
  'Ng’andu',
  "Ng'andu",
  'NGANDU',
  'Ng`andu',
  'Ng´andu',
  'Ngʼandu',
  'Ng‘andu',
  'Ng′andu',
  'Ngꞌandu',
  'Ng＇andu',
  'ngandu\u200b',
  'Ｎｇａｎｄｕ',
  'N\u00adg andu',
])('%j is ngandu', (name) => expect(foldedName(name)).toBe('ngandu'))

test.each([
  ['Mary-Ann  Banda', 'maryannbanda'],
  ['Mary‑Ann Banda', 'maryannbanda'],
  ['Mary Ann Banda', 'maryannbanda'],
  ['Zoë Sá', 'zoesa'],
  ['Zoe\u0308 SA\u0301', 'zoesa'],
  ['chola.mwansa', 'chola.mwansa'],
  ['小明', '小明'],
])('%j is %j', (name, folded) => expect(foldedName(name)).toBe(folded))

test('a search of nothing but signs is no search for everybody', () => {
  expect(foldedSearch('’')).toBe('’')
  expect(foldedSearch('')).toBe('')
  expect(foldedWords(' - ', 6)).toEqual([' - '])
  expect(foldedWords('Mary-Ann NG’ANDU', 6)).toEqual(['maryann', 'ngandu'])
})

test.each(['', ' ', '\u3164', '\u2800', '\u0301', '\u200b\u2060', '\u0640', '-’', '.'])(
  '%j is blank',
  (name) => expect(isBlankName(name)).toBe(true),
)
