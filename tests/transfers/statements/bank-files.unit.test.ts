import type { StatementMapping } from '#contracts/transfers'
import { bankFile } from '../../support/bank-file'
import { amountsRead, money, readStatementFile } from './read-statement'

const dated = (more: StatementMapping): StatementMapping => ({ at: 'Date', ...more })

describe('files that were once read wrongly', () => {
  test.each<[string, StatementMapping | undefined, number[], number[]]>([
    ['s01-direction-column.csv', { at: 'Txn Date', amount: 'Amount', direction: 'Dr/Cr' }, [450], []],
    ['s01c-airtel-entry-type.csv', undefined, [45], []],
    ['s01e-only-credits-marked.csv', dated({ text: 'Text', amount: 'Amount (marked)' }), [50.9], [2]],
    [
      's03-unquoted-thousands.csv',
      { at: 'Value Date', in: 'Money In', balance: 'Running Balance' },
      [450],
      [3],
    ],
    ['s05-amount-signs.tsv', dated({ amount: 'Amount K' }), [], [9, 10, 11, 12]],
    ['s07-semicolons-and-commas.csv', dated({ amount: 'Amount', text: 'Details' }), [450, 75], []],
    ['s10-year-first-short.csv', { at: 'Posted', amount: 'Value in' }, [45, 46], []],
    ['s11-one-cut-character.csv', { at: 'Paid on', amount: 'Paid K', payer: 'Payer' }, [45], [3]],
  ])('%s', async (name, mapping, amounts, wrong) => {
    const read = await amountsRead(bankFile(name), mapping)
    expect(read).toMatchObject({ in: amounts, wrong, doubt: null })
  })

  test.each([
    ['s02-no-heads.csv', 'no_headings'],
    ['s04-stray-quote.csv', 'upload_malformed'],
    ['s09b-ofx.csv', 'not_csv'],
    ['s09d-empty.csv', 'not_csv'],
  ])('%s is refused', async (name, code) => {
    await expect(readStatementFile(bankFile(name), dated({ amount: 'Amount' }))).rejects.toMatchObject({
      code,
    })
  })

  test('one word as the id of several payments, and two accounts in every row, add nothing', async () => {
    const ids = dated({ in: 'Paid in', transactionId: 'Reference' })
    expect((await readStatementFile(bankFile('s06-one-id-several-payments.csv'), ids)).doubt).toMatchObject({
      about: 'transaction ids',
    })
    expect(await amountsRead(bankFile('s08-mtn-more-payouts.csv'))).toEqual(money(45))
  })

  test('directions that a mapping leaves out are asked for, unless the balance proves them', async () => {
    const file = bankFile('s01-direction-column.csv')
    const mapping = { at: 'Txn Date', amount: 'Amount', text: 'Narrative' }
    expect((await readStatementFile(file, mapping)).asked).toBe('Dr/Cr')
    expect(await readStatementFile(file, { ...mapping, balance: 'Balance' })).toMatchObject({
      asked: null,
      proof: 'balance',
      leftOut: [{ row: 3, reason: 'money out' }],
      errors: [{ row: 2 }],
    })
  })
})
