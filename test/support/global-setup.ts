import type { TestProject } from 'vitest/node'
import { connect } from '../../src/server/db/connect.ts'
import { migrate } from '../../src/server/db/migrate.ts'
import { asAdmin, TEMPLATE, withDatabase } from './databases.ts'

export default async function setup(project: TestProject) {
  const adminUrl = process.env.TEST_DATABASE_URL ?? ''
  await asAdmin(adminUrl, `drop database if exists ${TEMPLATE}`)
  await asAdmin(adminUrl, `create database ${TEMPLATE}`)
  const db = connect(withDatabase(adminUrl, TEMPLATE))
  await migrate(db)
  await db.destroy()
  project.provide('databaseUrl', adminUrl)
}
