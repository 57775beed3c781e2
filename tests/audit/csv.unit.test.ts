import { csvLine } from '../../src/modules/audit/history/csv'

test.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1+1', '\t=1', '\r=1', '\n=1', '＝1+1', '＠A1'])(
  '%j is no formula in a cell',
  (text) => {
    expect(csvLine([text])).toMatch(/^"?'/)
  },
)

test('other text stays as it is, quoted where it must be', () => {
  expect(csvLine(['nshima', 'a=b', 'one, two', 'say "hi"'])).toBe('nshima,a=b,"one, two","say ""hi"""\r\n')
})
