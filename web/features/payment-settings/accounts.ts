import type { PaymentBypass } from '#contracts/payments'

type FieldName =
  `${'airtelMoney' | 'mtnMoney'}.${'name' | 'number'}` | `bankTransfer.${keyof PaymentBypass['bankTransfer']}`

/** The ways to pay besides card, each with its fields. */
export const accounts: readonly { title: string; fields: readonly { name: FieldName; label: string }[] }[] = [
  {
    title: 'Airtel Money',
    fields: [
      { name: 'airtelMoney.name', label: 'Account name' },
      { name: 'airtelMoney.number', label: 'Number' },
    ],
  },
  {
    title: 'MTN Money',
    fields: [
      { name: 'mtnMoney.name', label: 'Account name' },
      { name: 'mtnMoney.number', label: 'Number' },
    ],
  },
  {
    title: 'Bank Transfer',
    fields: [
      { name: 'bankTransfer.bankName', label: 'Bank name' },
      { name: 'bankTransfer.accountName', label: 'Account name' },
      { name: 'bankTransfer.accountNumber', label: 'Account number' },
      { name: 'bankTransfer.branchName', label: 'Branch name' },
      { name: 'bankTransfer.swiftCode', label: 'SWIFT code' },
    ],
  },
]

/** The fields of which families need at least one, or they would not know where to send their money. */
export const payableNumbers = [
  'airtelMoney.number',
  'mtnMoney.number',
  'bankTransfer.accountNumber',
] as const satisfies readonly FieldName[]
