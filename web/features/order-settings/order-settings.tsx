import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { ReplyOf, ChangedMeanwhile } from '#contracts/endpoint'
import {
  saveAllergyRule,
  standardAllergens,
  foundAllergens,
  getAllergyRule,
  saveAllergens,
} from '#contracts/health'
import { type OrderingRules as Rules, saveOrderingRules } from '#contracts/ordering'
import { changedIn } from '../../lib/changed-meanwhile'
import { endpointMutation, endpointQuery, useFresh } from '../../lib/endpoint-query'
import { adminToast, notifyFailure } from '../../lib/toast'
import { useDeadline } from '../../queries/cycles'
import { allergensQuery } from '../../queries/identity'
import { orderingRulesQuery } from '../../queries/ordering'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { ChangedNotice } from '../../ui/changed-notice'
import { Checkbox } from '../../ui/checkbox'
import { TextArea } from '../../ui/field'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'
import { useUnsaved } from '../../ui/unsaved'
import { Cutoff } from './cutoff'

/** Cutoff and what families may do. */
export const OrderSettings = () => (
  <div className="flex flex-col gap-5">
    <Cutoff />
    <OrderingRules />
    <AllergySettings />
  </div>
)

/** Cancel and change rules with remedies. */
export const OrderingRules = () => {
  const rules = useFresh(freshRulesQuery)
  return (
    <Card>
      <CardHeading title="Ordering Rules" hint="What families may do with their orders" />
      <CardBody>
        <QueryResult query={rules} failure="Failed to fetch ordering rules">
          {(saved) => <RulesForm saved={saved} />}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

const RulesForm = ({ saved }: { saved: ReplyOf<typeof saveOrderingRules> }) => {
  const saving = useMutation(saveRules)
  const deadline = useDeadline()
  return (
    <Form
      schema={saveOrderingRules.body}
      defaultValues={saved}
      onSave={async (body, form) => {
        form.reset(await saving.mutateAsync({ body }))
        adminToast({ title: 'Ordering rules saved successfully' })
      }}
      failed="Failed to save ordering rules"
      className="flex max-w-form flex-col gap-4"
    >
      <FormField
        name="cancelUntil"
        label="Orders can be cancelled and changed"
        options={[
          { value: 'hour', label: 'Within an hour of ordering' },
          { value: 'cutoff', label: `Until ${deadline}` },
        ]}
      />
      <LateRemedyField />
      <FormField
        name="absence"
        label="A paid meal of a child who is ill today"
        options={[
          { value: 'none', label: 'Gives nothing back' },
          { value: 'credit', label: 'Gives family credit' },
        ]}
      />
      <AbsencePercentField />
      <FormField
        name="lowPortions"
        number
        label="Show how many are left below"
        hint="Of meals with a limit of portions a day"
      />
      <PlansField />
      <FormField
        name="buyingMargin"
        number
        label="Buy more than ordered (%)"
        hint="Added to each ingredient of the kitchen's buying list"
      />
      <SubmitButton busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Ordering Rules
      </SubmitButton>
    </Form>
  )
}

const PlansField = () => (
  <Checkbox
    {...useFormContext<Rules>().register('plans')}
    label="Families may set a plan that orders every week"
    hint="Once a week it asks for one PIN, gives a reference or spends credit"
  />
)

const LateRemedyField = () => {
  const until = useWatch<Rules, 'cancelUntil'>({ name: 'cancelUntil' })
  return (
    <FormField
      name="lateRemedy"
      label="Late cancellations are paid back as"
      hint={until === 'hour' ? 'Counts once orders can be cancelled for longer than an hour.' : undefined}
      options={[
        { value: 'credit', label: 'Family credit' },
        { value: 'refund', label: 'Refund' },
      ]}
    />
  )
}

const AbsencePercentField = () => {
  const absence = useWatch<Rules, 'absence'>({ name: 'absence' })
  return (
    <FormField
      name="absencePercent"
      number
      label="Share of the price (%)"
      hint={absence === 'none' ? 'Counts once such a meal gives credit.' : undefined}
    />
  )
}

export const AllergySettings = () => {
  const rule = useFresh(allergyRuleQuery)
  const list = useFresh(freshAllergensQuery)
  return (
    <Card>
      <CardHeading title="Allergies" hint="What families choose from, and what the menu names" />
      <CardBody className="flex flex-col gap-6">
        <QueryResult query={rule} failure="Failed to fetch the allergy rule">
          {(saved) => <RuleForm saved={saved} />}
        </QueryResult>
        <QueryResult query={list} failure="Failed to fetch the allergens">
          {(saved) => <OwnAllergens saved={saved} />}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

const RuleForm = ({ saved }: { saved: ReplyOf<typeof saveAllergyRule> }) => {
  const saving = useMutation(saveRule)
  return (
    <Form
      schema={saveAllergyRule.body}
      defaultValues={saved}
      onSave={async (body, form) => {
        form.reset(await saving.mutateAsync({ body }))
        adminToast({ title: 'Allergy rule saved successfully' })
      }}
      failed="Failed to save the allergy rule"
      className="flex max-w-form flex-col gap-4"
    >
      <FormField
        name="rule"
        label="A meal with an allergen of the child, or against its diet"
        options={[
          { value: 'block', label: 'Cannot be ordered' },
          { value: 'warn', label: 'Can be ordered after a warning' },
        ]}
      />
      <SubmitButton busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Allergy Rule
      </SubmitButton>
    </Form>
  )
}

const isStandard = (name: string) => standardAllergens.some((one) => one === name)

const ownOf = (allergens: readonly string[]) => allergens.filter((name) => !isStandard(name))

const OwnAllergens = ({ saved: opened }: { saved: ReplyOf<typeof saveAllergens> }) => {
  const saving = useMutation(saveList)
  const found = useQuery(foundQuery).data?.found ?? []
  const [{ allergens, version }, setShown] = useState(opened)
  const [changed, setChanged] = useState<ChangedMeanwhile | null>(null)
  const saved = ownOf(allergens)
  const [text, setText] = useState(saved.join('\n'))
  const names = text
    .split('\n')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  useUnsaved(names.join('\n') !== saved.join('\n'))
  const save = async (over = version) => {
    setChanged(null)
    const add = names.filter((name) => !saved.includes(name))
    const remove = saved.filter((name) => !names.includes(name))
    try {
      const now = await saving.mutateAsync({ body: { add, remove, version: over } })
      setShown(now)
      setText(ownOf(now.allergens).join('\n'))
      adminToast({ title: 'Allergens saved successfully' })
    } catch (error) {
      const meanwhile = changedIn(error)
      if (meanwhile) setChanged(meanwhile)
      else notifyFailure(error, 'Failed to save the allergens')
    }
  }
  return (
    <div className="flex max-w-form flex-col gap-4">
      <p className="text-sm text-muted">{`Always on the list: ${standardAllergens.join(', ')}.`}</p>
      {found.length > 0 ? (
        <Notice tone="info" title="New on the list">
          <p>{`${found.join(', ')}: found on menu items. Save the list once you have seen it.`}</p>
        </Notice>
      ) : null}
      <TextArea
        label="The school's own allergens"
        hint="One a line, 20 at most"
        rows={5}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {changed ? <ChangedNotice changed={changed} onSaveAnyway={() => void save(changed.version)} /> : null}
      <Button
        busy={saving.isPending}
        busyLabel="Saving..."
        className="self-start max-sm:w-full"
        onClick={() => void save()}
      >
        Save Allergens
      </Button>
    </div>
  )
}

export const freshRulesQuery = { ...orderingRulesQuery, staleTime: 0 }

export const saveRules = endpointMutation(saveOrderingRules, 'ordering', 'catalogue', 'cycles')

export const allergyRuleQuery = { ...endpointQuery('identity', getAllergyRule, {}), staleTime: 0 }
export const freshAllergensQuery = { ...allergensQuery, staleTime: 0 }
/** Added since the list was last saved. */
export const foundQuery = { ...endpointQuery('identity', foundAllergens, {}), staleTime: 0 }

export const saveRule = endpointMutation(saveAllergyRule, 'identity', 'ordering')
export const saveList = endpointMutation(saveAllergens, 'identity')
