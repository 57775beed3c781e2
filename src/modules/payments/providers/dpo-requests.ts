import { decimalFromNgwee } from '#kernel/money'
import { schoolMoment } from '#kernel/school-time'
import type { DpoConfig } from './dpo-config'
import { writeXml } from './dpo-xml'
import type { XmlTree } from './dpo-xml'
import { schoolCurrency } from './provider'
import type { RefundRequest, TokenRequest } from './provider'

// Every body below carries the company token: it is sent, and never logged, kept or told.
const request = ({ companyToken }: DpoConfig, operation: string, rest: XmlTree) =>
  writeXml('API3G', { CompanyToken: companyToken, Request: operation, ...rest })

/** payments.md section 1.2; `zone` is the school's, in which DPO is told the service's date. */
export const createTokenXml = (config: DpoConfig, asked: TokenRequest, zone: string): string =>
  request(config, 'createToken', {
    Transaction: {
      PaymentAmount: decimalFromNgwee(asked.amount),
      PaymentCurrency: schoolCurrency,
      CompanyRef: asked.reference,
      CompanyRefUnique: asked.unique ? '1' : '0',
      RedirectURL: asked.returnUrl,
      BackURL: asked.backUrl,
      PTL: String(asked.limitMinutes),
      // Without it DPO takes the limit for hours.
      PTLtype: 'minutes',
      ...customerFields(asked.customer),
      DefaultPayment: 'CC',
      TransactionSource: 'web',
    },
    Services: {
      Service: {
        ServiceType: config.serviceType,
        ServiceDescription: asked.description,
        ServiceDate: serviceDate(asked.serviceAt, zone),
      },
    },
  })

const customerFields = ({ firstName, lastName, email, phone }: TokenRequest['customer']): XmlTree => {
  const told = {
    customerFirstName: firstName.trim(),
    customerLastName: lastName.trim(),
    customerEmail: email.trim(),
    customerPhone: (phone ?? '').replaceAll(/\D/g, ''),
  }
  return {
    ...Object.fromEntries(Object.entries(told).filter(([, text]) => text !== '')),
    customerCountry: 'ZM',
    customerDialCode: 'ZM',
  }
}

/** `YYYY/MM/DD HH:MM` on the school's wall clock. */
const serviceDate = (at: Date, zone: string) => {
  const { date, hour, minute } = schoolMoment(at, zone)
  return `${date.replaceAll('-', '/')} ${twoDigits(hour)}:${twoDigits(minute)}`
}

const twoDigits = (number: number) => String(number).padStart(2, '0')

export const verifyTokenXml = (config: DpoConfig, token: string, acknowledge: boolean): string =>
  request(config, 'verifyToken', { TransactionToken: token, VerifyTransaction: acknowledge ? '1' : '0' })

export const cancelTokenXml = (config: DpoConfig, token: string): string =>
  request(config, 'cancelToken', { TransactionToken: token })

export const refundTokenXml = (config: DpoConfig, asked: RefundRequest): string =>
  request(config, 'refundToken', {
    TransactionToken: asked.token,
    refundAmount: decimalFromNgwee(asked.amount),
    refundDetails: asked.details,
    refundRef: asked.refundRef,
  })

export const verifyRefundXml = (config: DpoConfig, paid: { token: string; ref: string | null }): string =>
  request(config, 'verifyRefund', {
    ...(paid.ref !== null && { TransRef: paid.ref }),
    TransactionToken: paid.token,
  })
