import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '#platform/folder'
import type { SmsGateway } from '#platform/sms'
import { mailFolder } from '../mail/mailer'
import { africasTalking, type AfricasTalkingOptions } from './africas-talking'

type Options = {
  /** Where messages are posted; without it they become files, or in production nobody sends any. */
  gateway: AfricasTalkingOptions | null
  production: boolean
  dataDir: string
}

/** SMS to the gateway, or to `<dataDir>/mail/*.sms` beside the mails where there is none; null in production without one. */
export const openSms = ({ gateway, production, dataDir }: Options): SmsGateway | null => {
  if (gateway) return africasTalking(gateway)
  return production ? null : toFiles(mailFolder(dataDir))
}

const toFiles = (folder: string): SmsGateway => ({
  send: async ({ id, writtenAt, to, text }) => {
    await makeFolder(folder)
    // Sorts by time among the mails. The same message again replaces its file.
    const name = `${writtenAt.toISOString().replaceAll(/[-:.]/g, '')}-${id}.sms`
    const unfinished = join(folder, `${name}.part`)
    // A message can hold a code.
    const heads = [
      `To: ${to}`,
      'Subject: SMS',
      `Date: ${writtenAt.toUTCString()}`,
      'Content-Type: text/plain; charset=utf-8',
    ]
    await writeFile(unfinished, `${heads.join('\n')}\n\n${text}\n`, { mode: 0o600 })
    await rename(unfinished, join(folder, name))
    return { kind: 'taken' }
  },
})
