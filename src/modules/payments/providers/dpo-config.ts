/** How DPO is reached. Nothing of `companyToken`, the only credential, may leave the adapter but to these addresses. */
export type DpoConfig = {
  companyToken: string
  /** The number that DPO gave the merchant's kind of service. */
  serviceType: string
  /** Takes createToken, cancelToken and refundToken (API v6). */
  createUrl: string
  /**
   * Takes verifyToken and verifyRefund. Version 7 of the API: version 6 may leave the reference out of its answer, and
   * then no payment is ever taken for paid.
   */
  verifyUrl: string
  /** The payment page, to which `ID=<token>` is added. */
  payUrl: string
  timeouts: { createMs: number; verifyMs: number }
}

/** payments.md, rule 6 of section 8 and section 7. */
export const dpoTimeouts: DpoConfig['timeouts'] = { createMs: 15_000, verifyMs: 8_000 }
