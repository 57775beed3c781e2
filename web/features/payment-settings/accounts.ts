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

/** Whether families would be told at least one number to pay to. */
export const canBePaid = ({ airtelMoney, mtnMoney, bankTransfer }: PaymentBypass): boolean =>
  [airtelMoney.number, mtnMoney.number, bankTransfer.accountNumber].some((number) => number.trim() !== '')
