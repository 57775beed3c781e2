import { csvLines } from '../../src/modules/audit/history/export.commands'

test.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1+1', '\t=1', '\r=1', '\n=1', '＝1+1', '＠A1'])(
  '%j is no formula in a cell',
  (text) => {
    expect(csvLines([[text]])).toMatch(/^"?'/)
  },
)

test('other text stays as it is, quoted where it must be', () => {
  expect(csvLines([['nshima', 'a=b', 'one, two', 'say "hi"', '']])).toBe(
    'nshima,a=b,"one, two","say ""hi""",\r\n',
  )
  expect(csvLines([['Mwila'], ['two\nlines']], { bom: true })).toBe('\uFEFFMwila\r\n"two\nlines"\r\n')
})
