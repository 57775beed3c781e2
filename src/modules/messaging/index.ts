import type { Knex } from 'knex'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'
import type { Module } from '#platform/module'
import type { SmsRule } from './channels.decide'
import { communicationRoutes } from './communication.routes'
import type { Mail } from './letters'
import { messageSettingsRoutes } from './message-settings.routes'
import {
  communication,
  messageSettings,
  smsRuleAt,
  reportedOn,
  ceilingOf,
  smsDayRows,
  type KeptMessageSettings,
  type ReportKind,
  privacyContact,
} from './message-settings.rows'
import {
  mailMeasures,
  mailReport,
  messageParts,
  messagesOf,
  messagingRetentions,
  messageUser,
  messageUsers,
  postMessage,
  undeliveredTo,
  type PostMessage,
} from './messages.commands'
import { consumeMail, outboxRows, type MessagingNeeds } from './outbox.rows'
import { messagingStatuses } from './refusals'
import {
  mailSweep,
  mailWork,
  postToSuperadmins,
  tellingSuperadmins,
  withMail,
  type Post,
  type PostToSuperadmins,
} from './send-mails.commands'
import { smsWork } from './sms.job'

export type { Post } from './send-mails.commands'
export type { Message } from './messages.commands'
export type { MessagingNeeds } from './outbox.rows'
export type { Addressee } from './letters'

export const messagingModule = (needs: MessagingNeeds) => {
  const { database, now, zone } = needs
  const today = () => schoolMoment(now(), zone).date
  const module: Module = {
    name: 'messaging',
    routes: [...messageSettingsRoutes(needs), ...communicationRoutes(needs)],
    views: [],
    reactors: [],
    jobs: [mailWork(needs), smsWork(needs)],
    sweeps: [mailSweep(needs)],
    retentions: messagingRetentions(needs),
    measures: mailMeasures(needs),
    familyParts: messageParts,
    forgetWords: (at, words) => outboxRows(at).forgetWords(words),
    refusals: messagingStatuses,
  }
  return {
    ...module,
    withMail: withMail(needs),
    messageUser: messageUser(needs),
    messageUsers: messageUsers(needs),
    postMessage: (transaction: Knex.Transaction, post: Post): PostMessage =>
      postMessage(needs, transaction, post),
    tellingSuperadmins: tellingSuperadmins(needs),
    postToSuperadmins: (transaction: Knex.Transaction, post: Post): PostToSuperadmins =>
      postToSuperadmins(needs, transaction, post),
    consumeMail: (kind: Parameters<typeof consumeMail>[1], to: string): Promise<number> =>
      consumeMail(needs, kind, to),
    addMails: (transaction: Knex.Transaction, mails: readonly Mail[]): Promise<void> =>
      outboxRows(transaction).addAll(mails, null, now()),
    /** To addresses of the register; these and earlier letters to them go with the account. */
    addClaimedMails: async (
      transaction: Knex.Transaction,
      { addresses, mails, userId }: { addresses: readonly string[]; mails: readonly Mail[]; userId: number },
    ): Promise<void> => {
      await outboxRows(transaction).claimLetters(addresses, userId)
      await outboxRows(transaction).addAll(mails, userId, now())
    },
    settings: (at: Knex = database.knex): Promise<KeptMessageSettings> => messageSettings.read(at),
    privacyContact,
    smsRuleAt: (at: Reader): Promise<SmsRule> => smsRuleAt(at),
    isSmsDayFull: (
      at: Knex,
      settings: KeptMessageSettings,
      purpose: 'message' | 'password',
    ): Promise<boolean> => smsDayRows(at).isFull(today(), ceilingOf(settings, purpose)),
    /** False, without counting, when the day's codes are used up. */
    takeSmsCode: (at: Knex, settings: KeptMessageSettings): Promise<boolean> =>
      smsDayRows(at).takeCode(today(), ceilingOf(settings, 'code')),
    reportedOn: (kind: ReportKind): Promise<SchoolDate | null> => reportedOn(database.knex, kind),
    report: mailReport(needs),
    contact: (): ReturnType<typeof communication.read> => communication.read(database.knex),
    messagesOf,
    undeliveredTo,
    forgetUser: (at: Knex, userId: number): Promise<void> => outboxRows(at).removeOf(userId),
    forgetAddress: (at: Knex, address: string): Promise<void> => outboxRows(at).removeTo(address),
  }
}

export type Messaging = ReturnType<typeof messagingModule>
