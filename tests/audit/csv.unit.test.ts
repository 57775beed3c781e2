import { csvLines } from '../../src/modules/audit/history/history.routes'

test.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1+1', '\t=1', '\r=1', '\n=1', '\tx', '\rx', '＝1+1', '＠A1'])(
  '%j is no formula in a cell',
  (text) => expect(csvLines([[text]])).toMatch(/^"\n?'/),
)

test.each([
  ['a,=1', "a,'=1"],
  ['a;=1', "a;'=1"],
  ['a|@SUM(A1)', "a|'@SUM(A1)"],
  ['a\t+1', "a\t'+1"],
  ['a\n-1', "a\n'-1"],
  ['a\r\n =1', "a\r\n' =1"],
  ['a\r=1', "a\r'=1"],
  ['a;\t=1', "a;'\t'=1"],
  ['\t=1', "'\t'=1"],
  ['=1,=2', "'=1,'=2"],
])('nor is what a program that splits the cell %j once more finds', (text, written) =>
  expect(csvLines([[text]])).toBe(`"${written}"\r\n`),
)

test('every cell is quoted, and other text stays as it is', () => {
  expect(csvLines([['nshima', 'a=b', 'one, two', 'say "hi"', '', '14-09']])).toBe(
    '"nshima","a=b","one, two","say ""hi""","","14-09"\r\n',
  )
  expect(csvLines([['Mwila'], ['two\nlines']], { bom: true })).toBe('\uFEFF"Mwila"\r\n"two\nlines"\r\n')
})
