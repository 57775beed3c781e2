import { approvalOf, type SandboxTransaction } from './transaction'

/** As DPO builds it (payments.md section 1.2). */
export const returnAddress = (transaction: SandboxTransaction, paid: boolean): string =>
  withQuery(transaction.redirectUrl, {
    TransID: transaction.token,
    CCDapproval: paid ? approvalOf(transaction) : '',
    PnrID: transaction.companyRef,
    TransactionToken: transaction.token,
    CompanyRef: transaction.companyRef,
  })

export const backAddress = (transaction: SandboxTransaction): string =>
  withQuery(transaction.backUrl, {
    TransactionToken: transaction.token,
    CompanyRef: transaction.companyRef,
  })

const withQuery = (address: string, parameters: Record<string, string>): string => {
  const [before = '', ...fragment] = new URL(address).href.split('#')
  const joint = before.includes('?') ? (/[?&]$/.test(before) ? '' : '&') : '?'
  return [`${before}${joint}${new URLSearchParams(parameters).toString()}`, ...fragment].join('#')
}
