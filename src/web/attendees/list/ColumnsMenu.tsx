import { Button, Menu } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import * as texts from '../../../texts/generated/attendees.ts'
import styles from './AttendeeTable.module.css'
import type { useColumns } from './use-columns.ts'

/** Which columns the list has. It stays open while they are chosen. */
export function ColumnsMenu({ columns, shown, isStandard, toggle, reset }: ReturnType<typeof useColumns>) {
  return (
    <Menu position="bottom-end" width={260} withinPortal={false} closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" className={styles.tool}>
          <IconColumns3 size={18} aria-hidden />
          <span className={styles.toolName}>{texts.columns()}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.columns}>
        {columns.map((column) => (
          <Menu.CheckboxItem key={column.id} checked={shown.includes(column)} onChange={() => toggle(column.id)}>
            <span className={styles.columnName}>{column.title()}</span>
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item disabled={isStandard} onClick={reset}>
          {texts.usualColumns()}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
