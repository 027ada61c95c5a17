#include <sqlite3.h>

// sqlite3_db_config is variadic, which Swift cannot call.
static inline int csqlite_db_config(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}
