import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type TakenSms = { to: string; message: string; username: string; from: string | null; apiKey: string }

type Behaviour = (response: ServerResponse) => void | Promise<void>

/** Answers as Africa's Talking documents it. */
export const answering =
  (statusCode: number, status = 201): Behaviour =>
  (response) => {
    const recipient = {
      statusCode,
      number: '+260971234567',
      status: 'Success',
      cost: 'ZMW 0.3',
      messageId: 'A',
    }
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ SMSMessageData: { Message: 'Sent to 1/1', Recipients: [recipient] } }))
  }

/** An SMS gateway on this machine: keeps every message that it is handed, and then does what it is told to. */
export const smsGateway = async () => {
  const gateway = { taken: [] as TakenSms[], behaves: answering(101) as Behaviour }
  const server = createServer((request, response) => {
    const take = async () => {
      const form = new URLSearchParams(await text(request))
      gateway.taken.push({
        to: form.get('to') ?? '',
        message: form.get('message') ?? '',
        username: form.get('username') ?? '',
        from: form.get('from'),
        apiKey: String(request.headers['apikey']),
      })
      await gateway.behaves(response)
    }
    void take()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(gateway, {
    url: `http://127.0.0.1:${port}/version1/messaging`,
    /** What was handed over since the last time. */
    takenSince: (): TakenSms[] => gateway.taken.splice(0),
    close: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
