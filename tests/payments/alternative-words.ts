import type { PaymentBypass } from '#contracts/payments'

/** Airtel and bank are filled in, MTN is not. */
export const airtelAndBank: PaymentBypass = {
  enabled: true,
  beside: false,
  unpaidUntil: 'never',
  airtelMoney: { name: 'Lusaka Test School', number: '0970 000 001' },
  mtnMoney: { name: '', number: '' },
  bankTransfer: {
    bankName: 'Zanaco',
    accountName: 'Tuckshop',
    accountNumber: '0012345',
    branchName: 'Cairo Road',
    swiftCode: '',
  },
}
