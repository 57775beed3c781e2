import { directionOf, outcomeOf, unmappedStatus } from '#kernel/parse-amount'

test.each([
  [
    'in',
    'CR|Cr.|C|Credit|credited|H|Haben|I|In|+|Deposit|Received|Money in|Paid In|crédit|CRÉDITO|Entrada|CRDT|Credit (Cr)|CASHIN|CashIn|MoneyIn|PAYIN|(+)|Plus|Entrant|Créditeur|Inbound|Einzahlung|Zugang|Depósito|Recebido|Income|Bij|Direct credit',
  ],
  [
    'out',
    'DR|Dr.|D|Debit|DB|S|Soll|O|Out|-|−|Withdrawal|Sent|Money out|Paid out|débit|Débito|Saída|DBIT|Transfer out|Fee|CASHOUT|CashOut|PaidOut|(-)|Minus|Sortant|Débiteur|Outbound|Auszahlung|Abgang|Retirada|Enviado|Expense|Af|Direct debit',
  ],
  [null, '|X|Payment|REV|Reversal|Credit/Debit|Debit card|45|#N/A|Success|Transfer'],
] as const)('words say which way money went: %p', (way, words) => {
  for (const word of words.split('|')) expect([word, directionOf(word)]).toEqual([word, way])
})

test.each([
  [
    'done',
    ['Success', 'Transaction Success', 'Successful', 'Completed', 'Settled', 'TS', 'Paid', 'processed', 'OK'],
  ],
  [
    'failed',
    [
      'Failed',
      'Payment failed',
      'Unsuccessful',
      'Unsettled',
      'Not paid',
      'Unpaid',
      'Declined transaction',
      'Pending',
      'Processing',
      'Unprocessed',
      'Incomplete',
      'Cancelled',
      'Expired',
      'Rejected',
      'TF',
      'Void',
      'Not successful',
      'Insufficient funds',
      'Partially completed',
      'To be completed',
      'Will be settled',
      'Never settled',
      'Almost complete',
    ],
  ],
  [
    'taken back',
    ['Reversed', 'Refunded', 'Charged back', 'Success - reversed', 'Disputed', 'Credited back', 'Paid back'],
  ],
  [null, ['', 'Frozen', 'X']],
] as const)('a status says that money is %p', (outcome, words) => {
  for (const word of words) expect([word, outcomeOf(word)]).toEqual([word, outcome])
})

const table = (status: string) => ({
  heads: ['Text', 'Outcome'],
  rows: [{ cells: ['Payment failed', 'Settled'] }, { cells: ['', status] }],
})

test('a column of statuses that a mapping leaves out is found where some rows failed', () => {
  expect(unmappedStatus(table('Declined transaction'), ['Text'])).toBe('Outcome')
  expect(unmappedStatus(table('Declined transaction'), ['Text', 'Outcome'])).toBeNull()
  expect(unmappedStatus(table('Settled'), [])).toBeNull()
  expect(unmappedStatus(table('Frozen'), [])).toBe('Outcome')
  expect(unmappedStatus({ ...table('Failed'), heads: ['Text', 'Statut'] }, [])).toBe('Statut')
})
