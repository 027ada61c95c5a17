#ifndef ALERTBUS_CNCURSES_SHIM_H
#define ALERTBUS_CNCURSES_SHIM_H

// Without this the header offers no wide characters.
#define NCURSES_WIDECHAR 1
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <stdio.h>
#include <string.h>

// What Swift cannot say by itself: stdin, stdout and stdscr are variables of C, and most of the rest are macros.

// UTF-8 in any case: what is drawn is UTF-8, and a program started by a service manager has no locale.
static inline void alertbus_curses_locale(void) {
    setlocale(LC_ALL, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
}

// NULL when the terminal is not known; initscr would end the process.
static inline SCREEN *alertbus_curses_open(void) {
    SCREEN *screen = newterm(NULL, stdout, stdin);
    if (!screen) return NULL;
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    leaveok(stdscr, FALSE);
    set_escdelay(25);
    return screen;
}

static inline int alertbus_curses_start_colours(void) {
    if (!has_colors() || start_color() == ERR) return 0;
    use_default_colors();
    init_pair(1, COLOR_RED, -1);
    init_pair(2, COLOR_CYAN, -1);
    init_pair(3, COLOR_GREEN, -1);
    init_pair(4, COLOR_YELLOW, -1);
    return 1;
}

enum { ALERTBUS_BOLD = 1, ALERTBUS_DIM = 2, ALERTBUS_REVERSE = 4, ALERTBUS_UNDERLINE = 8 };

static inline void alertbus_curses_style(int attributes, int pair) {
    attr_t set = A_NORMAL;
    if (attributes & ALERTBUS_BOLD) set |= A_BOLD;
    if (attributes & ALERTBUS_DIM) set |= A_DIM;
    if (attributes & ALERTBUS_REVERSE) set |= A_REVERSE;
    if (attributes & ALERTBUS_UNDERLINE) set |= A_UNDERLINE;
    attr_set(set, (short)pair, NULL);
}

static inline void alertbus_curses_put(int y, int x, const char *text) { mvaddstr(y, x, text); }
static inline void alertbus_curses_erase(void) { erase(); }
static inline void alertbus_curses_redraw(void) { clearok(stdscr, TRUE); }
static inline void alertbus_curses_cursor(int y, int x) {
    curs_set(x >= 0);
    if (x >= 0) move(y, x);
}
static inline void alertbus_curses_show(void) { refresh(); }
static inline void alertbus_curses_size(int *rows, int *columns) { getmaxyx(stdscr, *rows, *columns); }
static inline void alertbus_curses_resize(int rows, int columns) { resizeterm(rows, columns); }

// A character, or a key's code with is_key set to 1; -1 when nothing waits.
static inline long alertbus_curses_read(int *is_key) {
    wint_t character = 0;
    int result = get_wch(&character);
    *is_key = result == KEY_CODE_YES;
    return result == ERR ? -1 : (long)character;
}

#endif
