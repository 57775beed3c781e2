import { approvalOf, type SandboxTransaction } from './transaction'

/** Where the browser goes from the payment page, as DPO builds it (payments.md section 1.2). */
export const returnAddress = (transaction: SandboxTransaction, paid: boolean): string =>
  withQuery(transaction.redirectUrl, {
    TransID: transaction.token,
    CCDapproval: paid ? approvalOf(transaction) : '',
    PnrID: transaction.companyRef,
    TransactionToken: transaction.token,
    CompanyRef: transaction.companyRef,
  })

/** Where "cancel" and "back" lead. */
export const backAddress = (transaction: SandboxTransaction): string =>
  withQuery(transaction.backUrl, {
    TransactionToken: transaction.token,
    CompanyRef: transaction.companyRef,
  })

/** The address with these parameters after those it has; a fragment stays last. */
const withQuery = (address: string, parameters: Record<string, string>): string => {
  const [before = '', ...fragment] = new URL(address).href.split('#')
  const joint = before.includes('?') ? (/[?&]$/.test(before) ? '' : '&') : '?'
  return [`${before}${joint}${new URLSearchParams(parameters).toString()}`, ...fragment].join('#')
}
