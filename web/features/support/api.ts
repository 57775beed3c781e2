import { contact, getCommunication } from '#contracts/identity'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'

export const communicationQuery = endpointQuery('identity', getCommunication, {})

export const sendMessage = endpointMutation(contact)
