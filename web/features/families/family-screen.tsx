import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { FamilyPage } from '#contracts/families'
import type { User } from '#contracts/identity'
import { gradeLabel } from '../../lib/format'
import { paths } from '../../lib/paths'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { QueryResult } from '../../ui/query-result'
import { familyQuery } from './api'
import { FamilyHelpLink } from './family-help'
import { FamilyHistory } from './family-history'
import { FamilyMeals } from './family-meals'
import { FamilyMessages } from './family-messages'
import { FamilyMoney } from './family-money'

type Child = FamilyPage['children'][number]
type FamilyScreenProps = {
  id: number
  user: User
  /** What opens a child's health record; without it for whom that is not open. */
  health?: (child: Child) => ReactNode
}

/** Everything about one family that helps whoever calls: what is the matter first, the technical history last. */
export const FamilyScreen = ({ id, user, health }: FamilyScreenProps) => {
  const family = useQuery(familyQuery(id))
  return (
    <QueryResult query={family} failure="Failed to fetch the family">
      {(page) => (
        <div className="flex flex-col gap-5">
          <Status page={page} user={user} />
          <Children page={page} health={health} />
          <FamilyMeals meals={page.upcoming} />
          <FamilyMoney page={page} user={user} />
          <FamilyMessages messages={page.messages} reachedBy={page.reachedBy} />
          <FamilyHistory history={page.history} />
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

type ChildrenProps = { page: FamilyPage } & Pick<FamilyScreenProps, 'health'>

const Children = ({ page: { parent, children }, health }: ChildrenProps) => (
  <Card>
    <CardHeading title="Children" />
    <CardBody>
      {children.length === 0 ? (
        <p className="text-muted">No children are entered.</p>
      ) : (
        <ul className="flex flex-wrap gap-x-6 gap-y-2">
          {children.map((child) => (
            <li key={child.id} className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
              <span className="min-w-0 break-words">
                {child.name} <span className="text-muted">{gradeLabel(child.grade)}</span>
              </span>
              {health?.(child)}
              <Others guardians={child.guardians.filter(({ userId }) => userId !== parent.id)} />
            </li>
          ))}
        </ul>
      )}
    </CardBody>
  </Card>
)

/** The child's guardians besides this account, each with the way to their own page. */
const Others = ({ guardians }: { guardians: FamilyPage['children'][number]['guardians'] }) =>
  guardians.map(({ userId, name, first }) => (
    <p key={userId} className="text-sm text-muted">
      {first ? 'First' : 'Second'} guardian:{' '}
      <Link to={paths.family(userId)} className="font-semibold text-brand-700 underline">
        {name}
      </Link>
    </p>
  ))
