import { mutationOptions } from '@tanstack/react-query'
import type { BodyOf } from '#contracts/endpoint'
import { contact, getCommunication } from '#contracts/identity'
import { call } from '../../lib/call'
import { endpointQuery } from '../../lib/endpoint-query'

export const communicationQuery = endpointQuery('identity', getCommunication, {})

export const sendMessage = mutationOptions({
  mutationFn: (body: BodyOf<typeof contact>) => call(contact, { body }),
})
