import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  type FamilyPage,
  type FamilyHelp,
  type UpcomingMeal,
  type FamilyMessage,
  getFamily,
} from '#contracts/find'
import type { User, FeatureName } from '#contracts/identity'
import { endpointQuery } from '../../lib/endpoint-query'
import { kwacha, shortDay, payByLabel } from '../../lib/format'
import { consolePaths } from '../../lib/paths'
import { dateAndTime } from '../../lib/school-moment'
import { Badge, Breakable, type Tone } from '../../ui/badge'
import { Card, CardBody, CardHeading, CollapsibleCard } from '../../ui/card'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'
import { FamilyChildren } from './family-children'
import { FamilyMoney, type MoneyActs } from './family-money'

type FamilyScreenProps = {
  id: number
  user: User
  /** Absent without access to health. */
  health?: (child: FamilyPage['children'][number]) => ReactNode
  /** Absent where the office may not order for families. */
  order?: (page: FamilyPage) => ReactNode
  plan: (page: FamilyPage) => ReactNode
} & MoneyActs

/** Present issues first, history last. */
export const FamilyScreen = ({ id, user, health, order, plan, ...acts }: FamilyScreenProps) => {
  const family = useQuery(familyQuery(id))
  return (
    <QueryResult query={family} failure="Failed to fetch the family">
      {(page) => (
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-5">
            <Status page={page} user={user} />
            {order?.(page)}
            <FamilyMoney page={page} user={user} {...acts} />
          </div>
          <div className="flex min-w-0 flex-col gap-5">
            <FamilyChildren page={page} health={health} />
            {plan(page)}
            <FamilyMeals meals={page.upcoming} />
            <FamilyMessages messages={page.messages} reachedBy={page.reachedBy} />
          </div>
          <div className="min-w-0 lg:col-span-2">
            <FamilyHistory history={page.history} />
          </div>
        </div>
      )}
    </QueryResult>
  )
}

const Status = ({ page: { parent, status, money }, user }: { page: FamilyPage; user: User }) => (
  <Card>
    <CardHeading
      title={parent.name}
      hint={[parent.username, parent.phone, parent.email].filter(Boolean).join(' · ')}
      actions={money.help ? <FamilyHelpLink help={money.help} user={user} /> : null}
    />
    <CardBody>
      {status.length === 0 ? (
        <p>Nothing was ordered yet.</p>
      ) : (
        <ul aria-label="What is the matter" className="flex flex-col gap-1.5">
          {status.map((sentence, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- the same sentence may be true of two payments
            <li key={place} className={place === 0 ? 'text-lg font-semibold' : undefined}>
              {sentence}
            </li>
          ))}
        </ul>
      )}
    </CardBody>
  </Card>
)

type Way = { label: string; section: FeatureName; filter: string }

/** Sections by help; the first one held is used. */
const ways: Record<FamilyHelp['what'], readonly Way[]> = {
  verify: [{ label: 'Verify the payment', section: 'pending_payments', filter: 'text' }],
  judge: [{ label: 'Decide about the payment', section: 'order_recovery', filter: 'text' }],
  retry: [{ label: 'Make the missing meals', section: 'order_recovery', filter: 'text' }],
  refund: [{ label: 'Pay the money back', section: 'refunds', filter: 'text' }],
  ask: [
    { label: 'Ask the card provider', section: 'live_orders', filter: 'transactionId' },
    { label: 'Ask the card provider', section: 'order_recovery', filter: 'text' },
  ],
}

/** A link to the right section, or what another role must do. */
const FamilyHelpLink = ({ help, user }: { help: FamilyHelp; user: User }) => {
  const way = ways[help.what].find(({ section }) => user.allowedFeatures.includes(section))
  if (!way)
    return <p className="text-sm text-muted">{`${ways[help.what][0]!.label}: ask another administrator`}</p>
  return (
    <Link
      to={consolePaths.sectionWith(way.section, { [way.filter]: help.about })}
      className="btn btn-primary btn-md"
    >
      {way.label}
    </Link>
  )
}

const FamilyMeals = ({ meals }: { meals: readonly UpcomingMeal[] }) => (
  <Card>
    <CardHeading title="Upcoming meals" />
    <CardBody>
      {meals.length === 0 ? (
        <p className="text-muted">No meals are ordered from today on.</p>
      ) : (
        <ul className="divide-y divide-line">
          {meals.map((meal) => (
            <Meal key={meal.id} meal={meal} />
          ))}
        </ul>
      )}
    </CardBody>
  </Card>
)

const Meal = ({ meal }: { meal: UpcomingMeal }) => {
  const isUnpaid = meal.paymentStatus === 'pending'
  return (
    <li className="flex items-start justify-between gap-3 py-2.5">
      <span className="min-w-0">
        <span className="block font-semibold break-words">
          {`${shortDay(meal.mealDate)}: ${meal.menuItem.name} for ${meal.student.name}`}
        </span>
        <span className="block text-sm break-words text-muted">
          {[
            kwacha(meal.price),
            meal.payBy && payByLabel(meal.payBy),
            meal.reference,
            meal.lapsesAt && `lapses ${dateAndTime(meal.lapsesAt)}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className="flex shrink-0 flex-wrap justify-end gap-1.5">
        {meal.absent ? <Badge tone="info">Absent</Badge> : null}
        <Badge tone={isUnpaid ? 'warning' : 'brand'}>{isUnpaid ? 'Not paid yet' : 'Paid'}</Badge>
      </span>
    </li>
  )
}

/** Newest first, collapsed. */
const FamilyHistory = ({ history }: Pick<FamilyPage, 'history'>) => {
  const [open, setOpen] = useState(false)
  return (
    <CollapsibleCard
      title="Technical history"
      hint="Everything that happened, the newest first"
      icon="history"
      open={open}
      onToggle={() => setOpen(!open)}
    >
      {history.length === 0 ? (
        <p className="text-muted">Nothing happened yet.</p>
      ) : (
        <ol className="divide-y divide-line">
          {history.map((entry, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- two entries may be the same but for their place
            <li key={place} className="py-2.5">
              <div className="flex items-baseline justify-between gap-4">
                <p className="min-w-0 break-words">{entry.what}</p>
                {entry.amount === null ? null : <p className="money">{kwacha(entry.amount)}</p>}
              </div>
              <p className="text-sm text-muted">{`${entry.schoolTime} · ${entry.who}`}</p>
              {Object.entries(entry.details).map(([term, value]) => (
                <p key={term} className="text-sm break-words text-muted">{`${term}: ${value}`}</p>
              ))}
            </li>
          ))}
        </ol>
      )}
    </CollapsibleCard>
  )
}

type MessagesProps = Pick<FamilyPage, 'reachedBy'> & { messages: readonly FamilyMessage[] }

/** Contact channels and delivery of each message. */
export const FamilyMessages = ({ messages, reachedBy }: MessagesProps) => (
  <Card>
    <CardHeading title="Messages" hint="Mails and SMS of the last 90 days" />
    <CardBody className="flex flex-col gap-3">
      {reachedBy.length === 0 ? (
        <Notice tone="warning" title="No message reaches this family">
          <p>It has no email address, and no verified phone that SMS could go to.</p>
        </Notice>
      ) : (
        <p className="text-sm text-muted">{`Written to by ${reachedBy.map((channel) => sentBy[channel]).join(' and ')}`}</p>
      )}
      {messages.length === 0 ? (
        <p className="text-muted">No message was written.</p>
      ) : (
        <ul className="divide-y divide-line">
          {messages.map((message) => (
            <li
              key={`${message.at} ${message.channel} ${message.subject} ${message.to}`}
              className="flex items-start justify-between gap-3 py-2.5"
            >
              <span className="min-w-0">
                <span className="block break-words">{message.subject}</span>
                <span className="block text-sm wrap-anywhere text-muted">
                  <Breakable
                    text={`${channels[message.channel]} to ${message.to} · ${dateAndTime(message.at)}`}
                  />
                </span>
                {message.failure && message.state !== 'sent' && (
                  <span className="block text-sm text-muted">{`Because ${message.failure}`}</span>
                )}
              </span>
              <span className="shrink-0">
                <Badge tone={tones[message.state]}>{words[message.state](message)}</Badge>
              </span>
            </li>
          ))}
        </ul>
      )}
    </CardBody>
  </Card>
)

const sentBy: Record<FamilyMessage['channel'], string> = { mail: 'email', sms: 'SMS' }
const channels: Record<FamilyMessage['channel'], string> = { mail: 'Mail', sms: 'SMS' }

const tones: Record<FamilyMessage['state'], Tone> = {
  sent: 'brand',
  waiting: 'warning',
  given_up: 'danger',
  unclear: 'danger',
}

const words: Record<FamilyMessage['state'], (message: FamilyMessage) => string> = {
  sent: () => 'Sent',
  waiting: ({ tries }) => (tries === 0 ? 'Being sent' : `Not sent yet, ${tries} failed`),
  given_up: () => 'Did not arrive',
  unclear: () => 'Perhaps not sent',
}

/** Refetched whenever opened. */
const familyQuery = (id: number) => ({
  ...endpointQuery('payments', getFamily, { params: { id } }),
  staleTime: 0,
})
