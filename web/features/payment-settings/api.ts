import { getBooksSettings, saveBooksSettings } from '#contracts/books-settings'
import { getPaymentBypass, savePaymentBypass } from '#contracts/payments'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'

/** Read again whenever it is opened: another administrator may have changed it. */
export const bypassQuery = { ...endpointQuery('payments', getPaymentBypass, {}), staleTime: 0 }

export const saveBypass = endpointMutation(savePaymentBypass, 'payments')

export const booksQuery = { ...endpointQuery('refunds', getBooksSettings, {}), staleTime: 0 }

export const saveBooks = endpointMutation(saveBooksSettings, 'refunds')
