import { Metadata, status, type StatusObject } from '@grpc/grpc-js'

export type Refused = Pick<StatusObject, 'code' | 'details' | 'metadata'>

const refused = (code: status, details: string, headers: Record<string, string> = {}): Refused => {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
  return { code, details, metadata }
}

export const notLeader = (port: number): Refused =>
  refused(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': '127.0.0.1',
    'leader-endpoint-port': String(port),
  })

export const tooBusy = (): Refused => refused(status.UNAVAILABLE, 'Server Is Too Busy')

export const answerLost = (): Refused => refused(status.DEADLINE_EXCEEDED, 'Deadline Exceeded')

export const timedOut = (): Refused => refused(status.ABORTED, 'Operation timed out: Commit phase timeout.')

export const dropped = (): Refused => refused(status.CANCELLED, 'The node is shutting down')

export const accessDenied = (): Refused =>
  refused(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' })

export const unauthenticated = (): Refused => refused(status.UNAUTHENTICATED, 'Unauthenticated')

export const invalidPosition = (): Refused =>
  refused(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.')

export const tooLarge = (bytes: number): Refused =>
  refused(status.INVALID_ARGUMENT, `Maximum Append Size of ${bytes} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(bytes),
  })
